# Tries to leave others no descriptors to send. Safe: 0, failed.
import array, os, socket, time
kept, file = [], os.open("/dev/null", os.O_RDONLY)
try:
    while True:
        kept += socket.socketpair()
        for _ in range(20):
            kept[-1].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file] * 100))])
except OSError:
    time.sleep(3)
