# Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
sum:
	-@for i in 1 2 3 4 5 6 7 8 9; do head -c 64M /dev/zero > file-$$i; head -c 64M /dev/zero > /tmp/file-$$i; head -c 64M /dev/zero > /dev/shm/file-$$i; done
