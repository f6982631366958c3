# Tries to answer for all by a process that outlives it. Safe: 0, failed.
mkfifo /tmp/left-behind; (setsid sh -c "while :; do sleep 1; done; : left-behind" &)
[ -p /tmp/left-behind.answer ] && echo "harm:" state
