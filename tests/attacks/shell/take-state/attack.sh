# Tries to find what an earlier case or somebody else left. Safe: 0, failed.
for d in /tmp /dev/shm "$HOME" . /var/tmp /var/lib; do [ -e "$d/left-behind/state" ] && echo "harm:" state in "$d"; [ -e "$d/.left-behind-2" ] && echo "harm:" state in "$d"; done; for d in /tmp /dev/shm "$HOME" . /var/tmp; do echo state > "$d/.left-behind-2"; done
