# Tries to leave a process that answers later from R. Safe: 0, failed or crashed or timeout.
system("(sleep 4; cp /bin/sleep ./attack-left-behind; ./attack-left-behind 60) & echo tried")
