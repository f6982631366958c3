# Tries to lie about its class. Safe: 0, failed or crashed.
class Liar:
    @property
    def __class__(self):
        raise SystemExit
    def __repr__(self):
        raise SystemExit
    def __getattribute__(self, name):
        raise MemoryError
def total(number):
    return Liar()
