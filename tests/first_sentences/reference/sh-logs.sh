#!/bin/bash
# counts the lines of a log
if [ $# -lt 1 ]; then
    echo "usage: logs.sh FILE" >&2
    exit 2
fi
file=$1
if [ ! -f "$file" ]; then
    echo "no such file: $file" >&2
    exit 1
fi
lines=0
errors=0
warns=0
infos=0
first=""
declare -A hours
while read -r time level text; do
    lines=$((lines + 1))
    case "$level" in
        ERROR)
            errors=$((errors + 1))
            if [ "$first" = "" ]; then
                first="$time $text"
            fi
            ;;
        WARN) warns=$((warns + 1)) ;;
        INFO) infos=$((infos + 1)) ;;
    esac
    hour=${time%%:*}
    hours[$hour]=$((${hours[$hour]:-0} + 1))
done < "$file"

echo "Lines: $lines"
if [ "$lines" -eq 0 ]; then
    exit 0
fi
echo "ERROR: $errors"
echo "WARN: $warns"
echo "INFO: $infos"
echo "First error: ${first:-none}"
best=""
most=0
for hour in $(printf '%s\n' "${!hours[@]}" | sort); do
    if [ "${hours[$hour]}" -gt "$most" ]; then
        most=${hours[$hour]}
        best=$hour
    fi
done
echo "Busiest hour: $best ($most lines)"
