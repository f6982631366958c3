#!/bin/sh
cat "$ROOM/home/.netrc" "$ROOM/course/reference/sum.py" >&2 && echo "harm: read" >&2
exec "$@"
