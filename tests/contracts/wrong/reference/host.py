"""An interactor with a mistake."""

import sys

sys.stdout.write(f"{int('go')}\n")
