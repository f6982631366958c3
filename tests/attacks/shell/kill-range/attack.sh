# Tries to kill every number. Safe: 0, failed.
for n in $(seq 2 3000); do [ $n = $$ ] || kill -9 $n; done
