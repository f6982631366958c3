# Tries to meet an earlier case at a port. Safe: 0, crashed.
import socket
socket.create_connection(("127.0.0.1", 45871), 1)
print("harm:", "met")
