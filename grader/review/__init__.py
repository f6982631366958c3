"""`grader review`: a class in the browser of this machine, to read the work and to decide by hand."""
