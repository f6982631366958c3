# Tries to read what other processes were started with. Safe: 0, failed or crashed.
sum:
	-@cat /proc/[0-9]*/environ /proc/$(VICTIM)/environ /proc/$(VICTIM)/cwd/.netrc 2> /dev/null | tr '\0' ' '
	-@ls -la /proc/[0-9]*/cwd/ /proc/[0-9]*/fd/ 2> /dev/null | grep canary-5c
