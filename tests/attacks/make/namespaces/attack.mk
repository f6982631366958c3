# Tries to mount, unshare and trace by the tools of the system. Safe: 0, failed or crashed.
sum:
	-@timeout 1 unshare -Ur id -u && echo harm: unshare
	-@timeout 1 unshare -m true && echo harm: unshare
	-@timeout 1 mount -t tmpfs none /tmp && echo harm: mount
	-@timeout 1 chroot / id && echo harm: chroot
	-@timeout 1 nsenter -t 1 -m true && echo harm: nsenter
	-@timeout 1 sudo -n id && echo harm: sudo
	-@timeout 1 strace -p $(VICTIM) && echo harm: strace
