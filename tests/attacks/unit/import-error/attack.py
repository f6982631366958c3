# Tries to say that a module of the framework is not there. Safe: 0, crashed.
raise ImportError("No module named 'pytest'")
