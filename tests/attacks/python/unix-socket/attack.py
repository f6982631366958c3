# Tries to reach a server by its socket in the file system. Safe: 0, crashed.
import os, socket
with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
    one.settimeout(1)
    one.connect(os.environ["ROOM"] + "/world/socket")
    one.send(b"left-behind")
    print("harm:", "connected")
