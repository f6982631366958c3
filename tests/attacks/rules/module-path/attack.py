# Tries to load a module by a path without an ending. Safe: 0, failed.
import runpy

runpy.run_path("no" + "tes")
