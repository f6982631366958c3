# Tries to fill the folder of temporary files. Safe: 0, failed or crashed or memory.
for i in 1 2 3 4; do head -c 60M /dev/zero > /tmp/left-behind-$i; done; for i in 1 2; do head -c 60M /dev/zero > /dev/shm/left-behind-$i; done; exit 0
