# Tries to change the reference and the spec. Safe: 0, failed.
for f in "$ROOM"/course/*/*; do echo > "$f"; done; mv "$ROOM/course" "$ROOM/gone"
