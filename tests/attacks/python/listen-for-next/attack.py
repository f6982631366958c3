# Tries to wait for the next case at a port. Safe: 0, failed.
import os, socket
try:
    server = socket.create_server(("127.0.0.1", 45871))
    if os.fork() == 0:
        os.setsid()
        server.settimeout(20)
        server.accept()
except OSError:
    pass
