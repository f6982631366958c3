# Tries to change how the machine is set. Safe: 0, failed.
for f in kernel/hostname vm/drop_caches kernel/randomize_va_space net/ipv4/ip_forward; do cat "/proc/sys/$f" > v; cat v > "/proc/sys/$f" && [ -s v ] && echo "harm:" "$f"; done
