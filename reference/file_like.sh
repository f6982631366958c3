# Gives the only file whose name fits the pattern $1, letter case aside, the name $2.
found=$(find . -name '.?*' -prune -o -type f -print | grep -iE "/$1\$")
if [ "$(printf '%s\n' "$found" | grep -c .)" != 1 ]; then
    echo "error: exactly one file has to be called like $2; these are:" ${found:-none}
    exit 1
fi
mv "$found" "$2"
