if (($# != 1)); then
    echo "Usage: passed.sh FILE" >&2
    exit 1
fi
if [[ ! -f $1 ]]; then
    echo "passed.sh: $1: no such file" >&2
    exit 2
fi
: >passed.txt
: >failed.txt
passed=0 failed=0
while IFS=';' read -r name mark || [[ -n $name ]]; do
    if ((mark >= 50)); then
        echo "$name" >>passed.txt
        passed=$((passed + 1))
    else
        echo "$name" >>failed.txt
        failed=$((failed + 1))
    fi
done <"$1"
echo "$passed passed, $failed failed"
