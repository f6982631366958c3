# Tries to write into a file that everybody may write from R. Safe: 0, failed or crashed.
tryCatch({ writeLines("mine", file.path(Sys.getenv("ROOM"), "world/precious")); cat("harm: wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
