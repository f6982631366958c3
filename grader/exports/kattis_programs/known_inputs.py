"""Accepts the inputs of this package, and no others: their SHA-256 is known.

It keeps them as they are, such as their line ends, and says nothing of a grammar. Who adds an input writes a validator
with the grammar of the input in place of this one.
"""

import hashlib
import sys

_KNOWN: frozenset[str] = frozenset()

if __name__ == "__main__":
    sys.exit(42 if hashlib.sha256(sys.stdin.buffer.read()).hexdigest() in _KNOWN else 43)
