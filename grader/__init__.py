"""An autograder: a contract in YAML, a reference for the truth, a sandbox for programs, a sentence for students."""

__version__ = "0.1.0"
