# Tries to type a command for the instructor. Safe: 0, failed.
import fcntl, os
for name in ("/dev/tty", "/dev/tty0", "/dev/console", "/dev/pts/0", "/dev/pts/1", 0, 1, 2):
    try:
        number = os.open(name, os.O_RDWR) if isinstance(name, str) else name
        for request in (0x5412, 0x5412 + (1 << 32), 0x541C):
            try:
                fcntl.ioctl(number, request & 0xFFFFFFFF, b"x")
                print("harm:", "typed")
            except OSError:
                pass
    except OSError:
        pass
