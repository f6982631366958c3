# Tries to reach a server of the machine from R. Safe: 0, failed or crashed.
tryCatch({ socketConnection("127.0.0.1", as.integer(Sys.getenv("PORT")), timeout = 3); cat("harm: connected\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
