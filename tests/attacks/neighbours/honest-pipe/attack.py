import fcntl, os, socket, sys, array, time
time.sleep(0.5)
read, write = os.pipe()
os.write(write, bytes(40000))
sent, got = socket.socketpair()
sent.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [read]))])
_, [(_, _, number)], _, _ = got.recvmsg(1, 100)
assert len(os.read(int.from_bytes(number, sys.byteorder), 40000)) == 40000
print(sum(range(int(sys.argv[1]) + 1)))
