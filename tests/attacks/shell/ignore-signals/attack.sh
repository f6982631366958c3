# Tries to not be ended. Safe: 0, timeout or failed.
trap "" TERM INT HUP QUIT XCPU ALRM; [ "$1" = 5 ] && exit 0; ulimit -t 5; while :; do :; done
