# Tries to leave answers for the next case where everybody may write. Safe: 10, passed.
import glob, os, sys
for folder in {"/tmp", "/dev/shm", "/tmp/.X11-unix", "/tmp/.ICE-unix", *glob.glob("/tmp/*/open")}:
    try:
        if os.path.exists(folder + "/left-behind-answers"):
            print("harm: found in", folder)
        with open(folder + "/left-behind-answers", "a") as file:
            file.write(str(sys.argv))
        os.chmod(folder + "/left-behind-answers", 0o666)
    except OSError:
        pass
print(sum(range(int(sys.argv[1]) + 1)))
