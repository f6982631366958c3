# Tries to start threads without end. Safe: 0, crashed or failed.
import threading, time
for _ in range(2000):
    threading.Thread(target=time.sleep, args=(0.5,), daemon=True).start()
