# Tries to answer after its end. Safe: 0, failed.
reg.finalizer(environment(), function(e) { system("cat $ROOM/home/.netrc; (sleep 1; touch /usr/left-behind) &"); cat("late\n") }, onexit = TRUE)
