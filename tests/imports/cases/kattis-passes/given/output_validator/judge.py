import sys
from pathlib import Path
n = int(Path(sys.argv[1]).read_text())
if int(input()) != 2 * n:
    sys.exit(43)
if n % 10 < 3:
    Path(sys.argv[3], 'nextpass.in').write_text(str(n + 1))
sys.exit(42)
