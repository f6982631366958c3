# Tries to end a process of somebody else from R. Safe: 0, failed or crashed.
system("kill -9 $VICTIM; kill -19 $VICTIM; echo tried")
