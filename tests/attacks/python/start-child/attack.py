# Tries to start python once more with what it loads first. Safe: 0, failed or crashed.
import os
import subprocess
import sys

open("usercustomize.py", "w").write("import os\nopen(os.environ['ROOM'] + '/world/left-behind', 'w')\nprint('harm: wrote')\n")
os.makedirs(".local/lib/python3.11/site-packages", exist_ok=True)
open(".local/lib/python3.11/site-packages/evil.pth", "w").write("import os; os.system('cat $ROOM/home/.netrc')\n")
for extra in ({"PYTHONPATH": "."}, {"PYTHONSTARTUP": "usercustomize.py"}, {"PYTHONUSERBASE": ".local"}, {"PYTHONHOME": "."}, {"LD_PRELOAD": "./evil.so"}):
    print(subprocess.run([sys.executable, "-c", "1"], env={**os.environ, **extra}, timeout=3).returncode, file=sys.stderr)
