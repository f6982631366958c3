# Tries to read what the grader's home holds from R. Safe: 0, failed or crashed.
tryCatch(cat("harm: read", readLines(file.path(Sys.getenv("ROOM"), "home/.netrc"), warn = FALSE), "\n"), error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch(cat("harm: read", readLines(file.path(Sys.getenv("ROOM"), "home/.ssh/id"), warn = FALSE), "\n"), error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
