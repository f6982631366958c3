import sys

sys.stdout.write("Height: ")
sys.stdout.flush()
sys.stdout.write(sys.stdin.readline() or "none\n")
