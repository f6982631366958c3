import os, socket, sys
pairs = socket.socketpair()
if os.fork() == 0:
    while data := pairs[1].recv(1 << 16):
        pairs[1].sendall(data)
    os._exit(0)
got = 0
for number in range(40):
    pairs[0].sendall(bytes(50000))
    while got < (number + 1) * 50000:
        got += len(pairs[0].recv(1 << 16))
pairs[0].shutdown(socket.SHUT_WR)
assert got == 2_000_000
print(sum(range(int(sys.argv[1]) + 1)))
