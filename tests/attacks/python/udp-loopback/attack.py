# Tries to send a datagram to a server of the machine. Safe: 0, failed.
import os, socket
for host in ("127.0.0.1", "localhost", "0.0.0.0", "255.255.255.255"):
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"left-behind", (host, int(os.environ["PORT"])))
    except OSError:
        pass
