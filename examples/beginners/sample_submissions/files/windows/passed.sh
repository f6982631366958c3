#!/bin/bash
if [ $# -ne 1 ]; then
    echo "Usage: passed.sh FILE" >&2
    exit 1
fi
FILE="$1"
if [ ! -e $FILE ]; then
    echo "passed.sh: $1: no such file" >&2
    exit 2
fi
p=0
f=0
> passed.txt
> failed.txt
while read line || [ -n "$line" ]
do
    name=$(echo "$line" | cut -d ';' -f 1)
    mark=$(echo "$line" | cut -d ';' -f 2)
    if [ $mark -ge 50 ]
    then
        echo $name >> passed.txt
        p=$(expr $p + 1)
    else
        echo $name >> failed.txt
        f=$(expr $f + 1)
    fi
done < $FILE
echo "$p passed, $f failed"
