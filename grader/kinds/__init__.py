"""The rooms of the kinds of cases; `grader.core.kind` has the table of them."""
