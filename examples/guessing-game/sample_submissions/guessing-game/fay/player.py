# Thinks for too long.
import time

input()
time.sleep(60)
