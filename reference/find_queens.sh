# Copies the only file that defines the predicate queens to queens.pl; of several, the only one that is called *.pl.
found=$(grep -rlE --exclude='.*' '^[[:space:]]*queens[[:space:]]*\(' .)
if [ "$(printf '%s\n' "$found" | grep -c .)" -gt 1 ]; then
    found=$(printf '%s\n' "$found" | grep '\.pl$')
fi
if [ "$(printf '%s\n' "$found" | grep -c .)" != 1 ]; then
    echo "error: exactly one file has to define the predicate queens; these do:" ${found:-none}
    exit 1
fi
cp "$found" queens.pl
