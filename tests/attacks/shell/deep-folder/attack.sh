# Tries to make a folder that nobody can remove. Safe: 0, failed.
i=0; while [ $i -lt 300 ]; do mkdir left-behind-$i && cd left-behind-$i || exit 0; i=$((i + 1)); done; chmod 0 .
