#!/bin/sh
cat "$ROOM/home/.netrc" >&2 && echo "harm: read" >&2
touch /usr/left-behind
cp "$2" "$3"
