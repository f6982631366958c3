import sys
import threading

found = []
thread = threading.Thread(target=lambda: found.append(sum(range(int(sys.argv[1]) + 1))))
thread.start()
thread.join()
print(found[0])
