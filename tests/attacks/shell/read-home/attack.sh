# Tries to read the keys in the home of the instructor. Safe: 0, failed.
cat "$ROOM"/home/.netrc "$ROOM"/home/.ssh/* /root/.ssh/* /home/*/.ssh/*
