# Tries to get all rights in a namespace of its own. Safe: 0, failed.
unshare -U true && echo "harm:" user; unshare -Ur true && echo "harm:" root; unshare -Urm mount -t tmpfs x /tmp && echo "harm:" mount
