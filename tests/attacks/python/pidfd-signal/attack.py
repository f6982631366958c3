# Tries to signal others by a descriptor of them. Safe: 0, crashed.
import os, signal
handle = os.pidfd_open(int(os.environ["VICTIM"]))
signal.pidfd_send_signal(handle, signal.SIGKILL)
print("harm:", "signalled")
