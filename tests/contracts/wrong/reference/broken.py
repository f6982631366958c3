"""A reference with a fault."""

int("eight")
