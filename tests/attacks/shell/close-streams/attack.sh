# Tries to close its streams and go on. Safe: 0, failed.
exec > /dev/null 2>&1 < /dev/null; exec 1>&- 2>&- 0<&-; sleep 0.2
