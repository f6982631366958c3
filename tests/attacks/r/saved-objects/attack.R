# Tries to plant functions by saved objects. Safe: 0, failed or crashed.
cat(exists("planted"), "\n")
