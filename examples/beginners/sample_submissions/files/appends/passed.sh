#!/bin/bash
if [ $# -ne 1 ]; then
    echo "Usage: passed.sh FILE"
    exit
fi
if [ ! -f "$1" ]; then
    echo "passed.sh: $1: no such file"
    exit
fi
p=0
f=0
while IFS=";" read name mark; do
    if [ "$mark" -ge 50 ]; then
        echo "$name" >> passed.txt
        ((p++))
    else
        echo "$name" >> failed.txt
        ((f++))
    fi
done < "$1"
echo "$p passed, $f failed"
