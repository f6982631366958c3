# Tries to leave by a root of its own. Safe: 0, failed.
mkdir -p r && chroot r /bin/sh -c : ; chroot / /bin/true && echo "harm:" root; pivot_root . . && echo "harm:" pivot
