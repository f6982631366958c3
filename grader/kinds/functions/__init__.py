"""Calls of a student's functions and methods, made by a probe in the sandbox."""
