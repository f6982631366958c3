# Tries to reach the daemon of Docker. Safe: 0, crashed.
import os, socket
with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
    one.settimeout(1)
    one.connect("/var/run/docker.sock")
    one.send(b"left-behind")
    print("harm:", "connected")
