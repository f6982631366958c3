# Tries to take all memory by buffers of sockets. Safe: 0, memory or crashed or failed.
import socket
kept = []
try:
    for _ in range(100):
        kept += socket.socketpair()
        kept[-1].setblocking(False)
        while kept[-1].send(bytes(60000)):
            pass
except OSError:
    pass
