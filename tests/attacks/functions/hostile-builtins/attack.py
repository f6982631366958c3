# Tries to replace what the probe uses. Safe: 0, failed or crashed.
import builtins, json, sys, os, io
def broken(*_, **__):
    raise SystemError('ours')
builtins.len = builtins.isinstance = builtins.repr = builtins.open = builtins.str = broken
json.dumps = json.dump = os.write = broken
sys.stdout = sys.stderr = None
def total(number):
    return number
