-- Tries to mount, unshare and trace by the tools of the system. Safe: 0, failed or crashed.
.bail off
.shell timeout 1 unshare -Ur id -u && echo harm: unshare
.shell timeout 1 unshare -m true && echo harm: unshare
.shell timeout 1 mount -t tmpfs none /tmp && echo harm: mount
.shell timeout 1 chroot / id && echo harm: chroot
.shell timeout 1 nsenter -t 1 -m true && echo harm: nsenter
.shell timeout 1 strace -p $VICTIM && echo harm: trace
