# Tries to kill a process of the machine. Safe: 0, failed.
for s in 0 9 15 STOP 1; do kill -$s "$VICTIM" && echo "harm:" signal $s; done
