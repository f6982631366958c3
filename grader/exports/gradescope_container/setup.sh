#!/usr/bin/env bash
# Runs once, as root, when the platform makes the image: installs what the assignment needs, and grader beside it.
# The lists in settings/ were written by `grader export gradescope-zip`.
set -euo pipefail

root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"
venv="$root/venv"
export DEBIAN_FRONTEND=noninteractive

install() {
    apt-get install --yes --quiet --no-install-recommends "$@"
}

# Python 3.11 or later, with what a virtual environment needs.
is_fit() {
    command -v "$1" >/dev/null && "$1" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    local name
    for name in python3 python3.13 python3.12 python3.11; do
        if is_fit "$name"; then
            echo "$name"
            return
        fi
    done
    return 1
}

mapfile -t packages <"$source/settings/packages"
apt-get update --quiet
install "${packages[@]}"

# What the system calls python3 first; on Ubuntu 22.04 that is 3.10, and 3.11 is a package of its own.
find_python >/dev/null || install python3 python3-venv
find_python >/dev/null || install python3.11 python3.11-venv
python=$(find_python)

"$python" -m venv --clear "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "$source/grader"

# Nobody but root reads the course, or changes what grades.
chmod -R go-rwx "$source"

# For whoever reads the log of the image: what there is. The container that grades may allow more or less than this one.
cd "$source/course"  # whose language may be one of its own
language=$(<"$source/settings/language")
"$venv/bin/grader" doctor "$language" || echo "setup.sh: something is missing, see above; a sandbox may come up only later"
