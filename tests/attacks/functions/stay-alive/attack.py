# Tries to go on in a thread when it has returned. Safe: 10, passed.
import threading, time
threading.Thread(target=time.sleep, args=(30,)).start()
def total(number):
    return number * (number + 1) // 2
