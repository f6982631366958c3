# Tries to read by a descriptor that was left open. Safe: 0, failed.
for n in 3 4 5 6 7 8 9; do (eval "cat <&$n") && echo "harm:" descriptor; (eval "echo x >&$n") && echo "harm:" descriptor; done
