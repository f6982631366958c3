# Tries to reach what goes over the wire (AF_PACKET). Safe: 0, failed.
import socket
for kind in (1, 2, 3, 5):
    try:
        socket.socket(17, kind)
    except OSError:
        continue
    print("harm:", "socket", kind)
