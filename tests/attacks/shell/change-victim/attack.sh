# Tries to slow down a process of the machine. Safe: 0, failed.
renice -n 19 "$VICTIM" && echo "harm:" nice; prlimit --pid "$VICTIM" --cpu=1 && echo "harm:" limit; taskset -p 1 "$VICTIM" && echo "harm:" processor; chrt -i -p 0 "$VICTIM" && echo "harm:" policy
