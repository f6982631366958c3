# Tries to ask a name server, and so tell secrets. Safe: 0, crashed.
import socket
socket.setdefaulttimeout(1)
print(socket.gethostbyname("canary.example.com"))
