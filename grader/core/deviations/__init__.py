"""How a text differs from the expected one, in the smallest set of named kinds, and in sentences."""
