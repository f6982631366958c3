# Tries to find what is expected of it in the process. Safe: 0, failed or crashed.
import gc
import os
import sys

def total(number):
    wanted = "".join(["761", "995"])
    texts = [str(each) for each in gc.get_objects() if isinstance(each, (dict, list, tuple)) and len(each) < 50]
    if any(wanted in text for text in texts):
        print("harm: found the answer")
    for name in os.listdir("/proc/self/fd"):
        try:
            if wanted.encode() in os.readlink(f'/proc/self/fd/{name}').encode():
                print("harm: found the answer")
        except OSError:
            pass
    return None
