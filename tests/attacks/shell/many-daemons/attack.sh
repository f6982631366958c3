# Tries to take the processors by many sessions. Safe: 10, passed.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do setsid timeout 20 sh -c "while :; do :; done; : left-behind" > /dev/null 2>&1 & done; sleep 0.1; echo $(($1 * ($1 + 1) / 2))
