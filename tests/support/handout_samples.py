"""A small assignment with something of everything, and the same with hidden tests that nobody may see."""

from tests.support.rows import read_data

DATA = read_data(__file__)
REFERENCE = DATA["REFERENCE"]
SPEC = DATA["SPEC"]
MARKER = SPEC.replace("  - name: words\n", f"{DATA['HIDDEN']}  - name: words\n").replace(
    "needs: [usage]", "needs: [usage, MARKER-name]"
)
