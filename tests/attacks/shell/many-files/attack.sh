# Tries to take all inodes. Safe: 0, failed or timeout.
mkdir d; cd d; seq 4000 | xargs touch; exit 0
