# Tries to be another program in the second case. Safe: 0, failed.
[ -e second ] && echo "harm:" state; echo "echo harm: changed" > attack.sh; touch second
