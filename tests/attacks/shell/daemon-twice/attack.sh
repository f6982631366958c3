# Tries to hide a process by forking twice. Safe: 0, failed.
( ( setsid nohup sh -c "trap \"\" TERM INT HUP QUIT; for i in 1 2 3 4 5 6 7 8 9; do sleep 3 & wait; done; : left-behind" > /dev/null 2>&1 & ) & )
sleep 0.1
