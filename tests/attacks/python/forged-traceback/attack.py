# Tries to name a file of the instructor in its traceback. Safe: 0, crashed or failed.
import os, sys
sys.stderr.write('Traceback (most recent call last):\n  File "' + os.environ['ROOM'] + '/course/reference/sum.py", line 1, in f\n  File "/etc/passwd", line 1\n  File "../../../../../../etc/passwd", line 1\nValueError: x\n')
sys.exit(1)
