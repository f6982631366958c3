# Tries to take all memory by connections to itself. Safe: 0, failed or memory.
import os, socket, time
def fill():
    kept = []
    server = socket.create_server(("127.0.0.1", 0))
    for _ in range(80):
        here = socket.create_connection(server.getsockname())
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
        kept += here, server.accept()[0]
        here.setblocking(False)
        try:
            while here.send(bytes(1 << 16)):
                pass
        except OSError:
            pass
    time.sleep(2)
for _ in range(10):
    if os.fork() == 0:
        try:
            fill()
        finally:
            os._exit(0)
time.sleep(3)
