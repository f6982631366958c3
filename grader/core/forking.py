"""The lock that keeps starting a process and writing a program apart."""

from threading import Lock

FORK_LOCK = Lock()
"""Held while a process is started, and while files are written that may be programs.

A program that somebody has open for writing cannot be started: execve(2), ETXTBSY. A new process holds a copy of all
our open files until it becomes its command. So a student's program that one thread writes while another thread starts a
process may fail to start a thousandth of a second later, through no fault of the student.
"""
