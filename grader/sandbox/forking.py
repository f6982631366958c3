"""Starting processes and writing programs, one at a time.

A program that somebody has open for writing cannot be started: execve(2), ETXTBSY. A process that is just being made
holds a copy of all our open files, until it becomes the command that it is for. So if one thread starts a process while
another writes a student's program, that program may fail to start, a thousandth of a second later: for no fault of the
student's.
"""

from threading import Lock

FORKING = Lock()
"""held while a process is started, and while files are written that may be programs"""
