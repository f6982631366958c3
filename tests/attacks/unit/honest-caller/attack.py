import sys, inspect, gc, json, atexit, threading, warnings

def total(number):
    warnings.warn("seen")
    sys.setrecursionlimit(2000)
    assert inspect.currentframe() and gc.get_objects()
    json.dumps({"number": number})
    threading.Thread(target=print, args=(number,)).start()
    print("sum of", number, file=sys.stderr)
    if number < 0:
        raise ValueError("negative")
    return number * (number + 1) // 2


class Sum:
    def __init__(self, number):
        self.value = total(number)

    def __eq__(self, other):
        if not isinstance(other, Sum):
            return NotImplemented
        return self.value == other.value

atexit.register(print, "bye")
