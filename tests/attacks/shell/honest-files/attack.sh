#!/bin/sh
. ./lib/sum.sh
work=$(mktemp -d) || exit 1
trap 'rm -r "$work"' EXIT
sum "$1" > "$work/sum" &
wait
cat "$work/sum"
