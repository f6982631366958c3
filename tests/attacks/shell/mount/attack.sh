# Tries to mount something over the system. Safe: 0, failed.
mkdir m; mount -t tmpfs x m && echo "harm:" mount; mount --bind / m && echo "harm:" bind; mount -o remount,rw / && echo "harm:" remount; umount -l /proc && echo "harm:" unmount
