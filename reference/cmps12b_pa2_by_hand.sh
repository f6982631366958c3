# Builds the jar Queens from Java files of any names in any folders. Exactly one of them has the method main.
find . -mindepth 2 -name '*.java' -exec mv -n {} . \;
mains=$(grep -lE 'static[^(]*void[[:space:]]+main' *.java)
if [ "$(printf '%s\n' "$mains" | grep -c .)" != 1 ]; then
    echo "error: exactly one Java file has to have the method main; these have it:" ${mains:-none}
    exit 1
fi
# A public class has to be in a file of its own name.
for file in *.java; do
    name=$(sed -nE 's/^[[:space:]]*public[[:space:]a-z]*[[:space:]]class[[:space:]]+([A-Za-z0-9_]+).*/\1/p' "$file" | head -n 1)
    if [ -n "$name" ] && [ "$file" != "$name.java" ]; then
        mv -n "$file" "$name.java"
        if [ "$file" = "$mains" ]; then mains="$name.java"; fi
    fi
done
javac -encoding UTF-8 "$mains" || exit
main=$(javap *.class | sed -nE '/^[a-z ]*class /{s/.*class ([^ ]+).*/\1/;h}; /static .*void main\(java.lang.String/{g;p;q}')
jar cfe Queens "$main" *.class
