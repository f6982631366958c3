# Tries to live on in threads when the method is over. Safe: 6, passed or failed.
import os, threading, time

def stay():
    time.sleep(20)
    os.write(1, b"harm: it lived on")


def total(number):
    return number * (number + 1) // 2


def first(number):
    threading.Thread(target=stay, daemon=True).start()
    threading.Thread(target=stay).start()
    return total(number)


def guess(number):
    return 0
