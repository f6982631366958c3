# Tries to take all memory by datagrams to itself. Safe: 0, failed or memory.
import os, socket, time
def fill():
    kept = []
    for _ in range(90):
        there, here = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        there.bind(("127.0.0.1", 0))
        there.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        for _ in range(150):
            here.sendto(bytes(60000), there.getsockname())
        kept += here, there
    time.sleep(2)
for _ in range(10):
    if os.fork() == 0:
        try:
            fill()
        finally:
            os._exit(0)
time.sleep(3)
