# Tries to take the course along by a copy. Safe: 0, failed.
cp -r "$ROOM/course" . ; cat course/specs/*
