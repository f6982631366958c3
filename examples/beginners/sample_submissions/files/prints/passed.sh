#!/bin/bash
if [ $# -ne 1 ]; then
    echo "Usage: passed.sh FILE" >&2
    exit 1
fi
if [ ! -f "$1" ]; then
    echo "passed.sh: $1: no such file" >&2
    exit 2
fi
echo "Passed:"
awk -F ';' '$2 >= 50 { print $1 }' "$1"
echo "Failed:"
awk -F ';' '$2 < 50 { print $1 }' "$1"
p=$(awk -F ';' '$2 >= 50' "$1" | wc -l)
f=$(awk -F ';' '$2 < 50' "$1" | wc -l)
echo "$p passed, $f failed"
