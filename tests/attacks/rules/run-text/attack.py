# Tries to run a text that is no source by its name. Safe: 0, failed.
exec(open("notes.txt").read())
