"""The lock that keeps starting a process and writing a program apart."""

from threading import Lock

# Held while a process is started, and while files are written that may be programs: a program that is open for writing
# cannot be started (execve(2), ETXTBSY), and a new process holds our open files until it becomes its command.
FORK_LOCK = Lock()
