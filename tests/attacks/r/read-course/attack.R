# Tries to read the spec and the reference from R. Safe: 0, failed or crashed.
tryCatch(cat("harm: read", readLines(file.path(Sys.getenv("ROOM"), "course/specs/r.yaml"), warn = FALSE), "\n"), error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch(cat("harm: read", readLines(file.path(Sys.getenv("ROOM"), "course/reference/sum.py"), warn = FALSE), "\n"), error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
