# Tries to have another module where the next is imported. Safe: 6, passed or failed.
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in ("_sha256", "json", "traceback", "unittest"):
            print("harm: it was asked for", name, flush=True)

sys.meta_path.insert(0, Finder())
sys.path_hooks.insert(0, lambda path: Finder())


def total(number):
    return number * (number + 1) // 2


def first(number):
    for name in ("json", "traceback", "linecache"):
        sys.modules.pop(name, None)
    return total(number)


def guess(number):
    return 0
