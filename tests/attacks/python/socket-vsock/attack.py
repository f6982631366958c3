# Tries to reach the host of a virtual machine (AF_VSOCK). Safe: 0, failed.
import socket
for kind in (1, 2, 3, 5):
    try:
        socket.socket(40, kind)
    except OSError:
        continue
    print("harm:", "socket", kind)
