# Tries to watch what the grader opens. Safe: 0, failed.
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
number = libc.inotify_init()
for name in (os.environ['ROOM'], os.environ['ROOM'] + '/course'):
    if libc.inotify_add_watch(number, name.encode(), 0xFFF) >= 0:
        print('harm:', 'watch')
