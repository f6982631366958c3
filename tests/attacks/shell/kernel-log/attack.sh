# Tries to read the log of the kernel. Safe: 0, failed.
dmesg 2> /dev/null | head -1 | grep -q . && echo "harm:" log; timeout 1 head -c 9 /dev/kmsg && echo "harm:" log
