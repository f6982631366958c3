"""A dialogue with the program: the input that is sent to it, and its expected answers, step by step."""
