"""The student's own tests, run with the course's right program and wrong ones, each of which is a case."""
