# Tries to import from an archive with the name of a picture. Safe: 0, failed.
import sys

sys.path.insert(0, "picture.png")
import helper
