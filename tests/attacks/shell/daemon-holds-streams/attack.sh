# Tries to keep the grader waiting by a process that holds the streams. Safe: 10, passed.
setsid sh -c "trap \"\" TERM HUP; sleep 30; : left-behind" &
echo $(($1 * ($1 + 1) / 2))
