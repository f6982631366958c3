# Tries to end the probe by exceptions that are none. Safe: 0, failed or crashed.
class Last(BaseException):
    def __str__(self):
        raise KeyboardInterrupt
    __traceback__ = None
def total(number):
    raise Last
