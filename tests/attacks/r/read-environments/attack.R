# Tries to read the environment of every process from R. Safe: 0, failed or crashed.
system("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done")
