# Tries to reach a server by an abstract name. Safe: 0, crashed.
import os, socket
with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
    one.settimeout(1)
    one.connect("\0grader-canary-" + os.environ["PORT"])
    one.send(b"left-behind")
    print("harm:", "connected")
