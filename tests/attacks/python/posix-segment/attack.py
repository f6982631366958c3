# Tries to leave a segment of shared memory. Safe: 0, failed or crashed.
from multiprocessing import resource_tracker, shared_memory
resource_tracker.register = lambda *_: None
shared_memory.SharedMemory("left-behind-segment", create=True, size=4096).buf[:5] = b"state"
