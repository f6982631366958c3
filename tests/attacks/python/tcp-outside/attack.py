# Tries to reach the Internet. Safe: 0, crashed.
import os, socket
with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
    one.settimeout(1)
    one.connect(("192.0.2.1", 80))
    one.send(b"left-behind")
    print("harm:", "connected")
