# Tries to read the spec by a link. Safe: 0, failed.
for f in "$ROOM"/course/specs/c.yaml "$ROOM"/home/.netrc; do ln -s "$f" one; cat one; rm one; done; ln -s "$ROOM/course" all; cat all/specs/*
