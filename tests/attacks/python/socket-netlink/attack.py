# Tries to reach the kernel's settings of the network (AF_NETLINK). Safe: 0, failed.
import socket
for kind in (1, 2, 3, 5):
    try:
        socket.socket(16, kind)
    except OSError:
        continue
    print("harm:", "socket", kind)
