# Tries to reach the network card (AF_XDP). Safe: 0, failed.
import socket
for kind in (1, 2, 3, 5):
    try:
        socket.socket(44, kind)
    except OSError:
        continue
    print("harm:", "socket", kind)
