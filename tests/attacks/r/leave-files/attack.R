# Tries to leave files for whoever comes next from R. Safe: 0, failed or crashed.
tryCatch({ writeLines("mine", "/tmp/left-behind-r"); cat("wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch({ writeLines("mine", "/var/tmp/left-behind-r"); cat("wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch({ writeLines("mine", "/dev/shm/left-behind-r"); cat("wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch({ writeLines("mine", "/usr/bin/left-behind-r"); cat("harm: wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch({ writeLines("mine", "/etc/left-behind-r"); cat("harm: wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
tryCatch({ writeLines("mine", "/srv/left-behind-r"); cat("harm: wrote\n") }, error = function(e) cat("held\n"), warning = function(w) cat("held\n"))
