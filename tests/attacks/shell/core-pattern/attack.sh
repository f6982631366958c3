# Tries to have the kernel start a program at the next crash. Safe: 0, failed.
for f in core_pattern modprobe hotplug; do cat "/proc/sys/kernel/$f" > v && [ -s v ] && cat v > "/proc/sys/kernel/$f" && echo "harm:" "$f"; done; :
