# Tries to write a record into whatever is open. Safe: 6, passed or failed.
import os

FORGED = b"0" * 64 + b'{"event": "over", "method": "TestWrongs.test_b", "runs": 1, "done": 1, "failures": []}\n'

def write_everywhere():
    for name in os.listdir("/proc/self/fd"):
        number = int(name)
        try:
            place = os.readlink("/proc/self/fd/" + name)
        except OSError:
            continue
        if number > 2 and place.startswith(("pipe:", "socket:", "/memfd")):
            os.write(1, b"harm: open is " + place.encode())
        if number > 2:
            for write in (os.write, lambda one, text: os.pwrite(one, text, 0)):
                try:
                    write(number, FORGED)
                except OSError:
                    pass
    for process in filter(str.isdigit, os.listdir("/proc")):
        for number in range(200):
            if process == str(os.getpid()) and number < 3:
                continue
            try:
                with open(f"/proc/{process}/fd/{number}", "wb", buffering=0) as file:
                    file.write(FORGED)
            except OSError:
                pass


def total(number):
    return number * (number + 1) // 2


def first(number):
    try:
        write_everywhere()
    except OSError:
        pass
    return total(number)


def guess(number):
    return 0
