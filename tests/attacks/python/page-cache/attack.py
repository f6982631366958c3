# Tries to read what others left in the page cache. Safe: 10, passed.
import errno, glob, os, sys
for path in sorted(glob.glob("/usr/bin/*"))[:20]:
    file = os.open(path, os.O_RDONLY)
    try:
        os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
        print("harm:", "it lies in memory", path)
    except BlockingIOError:
        print("harm:", "it does not", path)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            print("harm:", "another answer", error)
    os.close(file)
print(sum(range(int(sys.argv[1]) + 1)))
