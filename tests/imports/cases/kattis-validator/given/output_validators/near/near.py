import sys
from pathlib import Path
wanted = int(Path(sys.argv[2]).read_text())
assert sys.argv[4] == 'at_most'
sys.exit(42 if abs(int(input()) - wanted) <= int(sys.argv[5]) else 43)
