# Tries to start two thousand processes from R. Safe: 0, failed or crashed or timeout or memory.
system("i=0; while [ $i -lt 2000 ]; do sleep 3 & i=$((i+1)); done; echo tried")
