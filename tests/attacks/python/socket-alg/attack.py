# Tries to reach ciphers of the kernel (AF_ALG). Safe: 0, failed.
import socket
for kind in (1, 2, 3, 5):
    try:
        socket.socket(38, kind)
    except OSError:
        continue
    print("harm:", "socket", kind)
