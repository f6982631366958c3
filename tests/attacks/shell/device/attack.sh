# Tries to make a device. Safe: 0, failed.
mknod d b 8 0 && echo "harm:" device; mknod n c 1 1 && head -c 1 n && echo "harm:" memory
