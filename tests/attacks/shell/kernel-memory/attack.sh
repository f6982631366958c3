# Tries to read the memory of the machine. Safe: 0, failed.
for f in /dev/mem /dev/kmem /proc/kcore /dev/sda /dev/vda /dev/nvme0n1; do head -c 9 "$f" && echo "harm:" memory; done
