# Tries to get namespaces of its own. Safe: 0, failed.
for o in -m -n -p -i -u -C -T; do unshare $o true && echo "harm:" namespace $o; done
