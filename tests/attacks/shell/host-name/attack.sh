# Tries to rename the machine. Safe: 0, failed.
hostname left-behind && [ "$(cat /proc/sys/kernel/hostname)" = left-behind ] && echo "harm:" name; :
