# Tries to reach a server of the machine. Safe: 0, crashed.
import os, socket
with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
    one.settimeout(1)
    one.connect(("127.0.0.1", int(os.environ["PORT"])))
    one.send(b"left-behind")
    print("harm:", "connected")
