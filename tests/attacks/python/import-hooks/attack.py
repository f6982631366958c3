# Tries to wait for whoever imports it. Safe: 0, failed.
import sys, builtins
builtins.open = print = lambda *a, **k: None
sys.modules['json'] = None
