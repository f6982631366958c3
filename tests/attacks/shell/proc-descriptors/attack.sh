# Tries to read what others have open. Safe: 0, failed.
for n in /proc/[0-9]*/fd/*; do case $n in */self/*) ;; *) timeout 0.2 head -c 99 "$n" < /dev/null | grep -a canary;; esac; done
