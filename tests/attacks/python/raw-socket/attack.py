# Tries to forge packets. Safe: 0, crashed.
import socket
for protocol in (1, 6, 255):
    socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol)
    print("harm:", "raw")
