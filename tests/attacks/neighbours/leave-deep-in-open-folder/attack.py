# Tries to leave a deep folder, a link and a pipe for the next case where everybody may write. Safe: 10, passed.
import glob, os, sys
for folder in {"/tmp/.X11-unix", *glob.glob("/tmp/*/open")}:
    for name in ("left-behind-deep", "left-behind-link", "left-behind-pipe"):
        if os.path.lexists(f"{folder}/{name}"):
            print("harm: found in", folder)
    try:
        os.symlink("/etc", f"{folder}/left-behind-link")
        os.mkfifo(f"{folder}/left-behind-pipe", 0o666)
        os.makedirs(f"{folder}/left-behind-deep/" + "d/" * 200, 0o777)
        os.chmod(f"{folder}/left-behind-deep", 0o100)
    except OSError:
        pass
print(sum(range(int(sys.argv[1]) + 1)))
