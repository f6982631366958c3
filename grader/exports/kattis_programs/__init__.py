"""Programs that go into a Kattis package as they are: they know nothing of grader, and need Python alone."""
