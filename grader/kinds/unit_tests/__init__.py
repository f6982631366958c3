"""Unit tests of the course, each of whose methods is a case."""
