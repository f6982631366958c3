# Tries to write until somebody stops it. Safe: 0, output.
timeout 4 yes
