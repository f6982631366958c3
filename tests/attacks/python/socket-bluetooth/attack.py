# Tries to reach what is near (AF_BLUETOOTH). Safe: 0, failed.
import socket
for kind in (1, 2, 3, 5):
    try:
        socket.socket(31, kind)
    except OSError:
        continue
    print("harm:", "socket", kind)
