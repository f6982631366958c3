# Tries to end every process that it sees from R. Safe: 0, failed or crashed or timeout.
system("kill -9 -1; echo tried")
