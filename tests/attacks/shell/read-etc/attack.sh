# Tries to read who has an account. Safe: 0, failed.
grep -q root: /etc/passwd /etc/shadow && echo "harm:" accounts; cat /etc/hostname /etc/machine-id
