"""Interactors: programs of the course that talk to the student's and judge it. Also validators."""
