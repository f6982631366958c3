def adder(n: int) -> object:
    return lambda more: n + more
