# Tries to leave segments and queues of System V. Safe: 0, failed.
ipcmk -M 4096; ipcmk -Q; ipcmk -S 1; ipcs | grep -q left-behind; exit 0
