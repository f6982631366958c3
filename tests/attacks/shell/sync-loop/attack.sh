# Tries to keep the disks busy by a command. Safe: 0, timeout.
while :; do sync; sync -f /usr/bin/env; done
