#!/bin/bash
if [ -z "$1" ]; then
    echo "usage: passed.sh file" >&2
    exit 1
fi
awk -F ';' '$2 > 50 { print $1 }' "$1" > passed.txt
awk -F ';' '$2 <= 50 { print $1 }' "$1" > failed.txt
echo "$(wc -l < passed.txt) passed, $(wc -l < failed.txt) failed"
