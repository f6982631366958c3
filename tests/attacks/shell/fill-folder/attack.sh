# Tries to fill the disk by one file. Safe: 0, failed or crashed or memory.
dd if=/dev/zero of=big bs=1M count=300; dd if=/dev/zero of=more bs=1M count=300; exit 0
