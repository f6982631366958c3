# Tries to write the probe's result itself. Safe: 0, failed or crashed.
import glob, json, os
for name in os.listdir('.') + glob.glob('/tmp/*') + glob.glob('/work/*'):
    if os.path.isfile(name) and name != 'attack.py':
        open(name, 'w').write('[[1, 15]]')
for number in range(3, 32):
    try:
        os.write(number, b'[{"returned": 15}]\n')
    except OSError:
        pass
os._exit(0)
