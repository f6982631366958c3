# Tries to raise its limits. Safe: 0, failed.
for o in v f c d; do ulimit -H -$o unlimited && echo "lifted $o"; done; prlimit --pid $$ --nproc=1000000 && echo "harm:" processes; prlimit --pid $$ --cpu=100000 && echo "harm:" time; :
