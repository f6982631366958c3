# Tries to read what another student handed in from R. Safe: 0, failed or crashed.
tryCatch(cat("harm: read", readLines(file.path(Sys.getenv("ROOM"), "course/r/honest/notes"), warn = FALSE), "\n"), error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
