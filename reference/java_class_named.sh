# Gives the program's class the name $1, and its file that name too. The program is the only Java file, or the only one
# with the method main. Texts in quotes stay as they are.
find . -mindepth 2 -name '*.java' -exec mv -n {} . \;
files=$(ls *.java)
if [ "$(printf '%s\n' "$files" | grep -c .)" != 1 ]; then
    files=$(grep -lE 'static[^(]*void[[:space:]]+main' *.java)
fi
if [ "$(printf '%s\n' "$files" | grep -c .)" != 1 ]; then
    echo "error: exactly one Java file has to have the method main; these have it:" ${files:-none}
    exit 1
fi
class=$(perl -0777 -ne '
    s{/\*.*?\*/|//[^\n]*}{}gs;
    print $1 if /\bpublic\s+(?:final\s+)?class\s+(\w+)/ || /.*\bclass\s+(\w+).*?\bvoid\s+main\b/s || /\bclass\s+(\w+)/' "$files")
if [ -z "$class" ]; then
    echo "error: there is no class in $files"
    exit 1
fi
OLD=$class NEW=$1 perl -pi -e 's/("(?:\\.|[^"\\])*")|\b$ENV{OLD}\b/defined $1 ? $1 : $ENV{NEW}/ge' *.java
[ "$files" = "$1.java" ] || mv "$files" "$1.java"
