"""Waits for a line."""

input()
