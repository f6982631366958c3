# Tries to leave a process in a session of its own. Safe: 10, passed.
setsid sh -c "sleep 30; : left-behind" > /dev/null 2>&1 < /dev/null &
echo $(($1 * ($1 + 1) / 2))
