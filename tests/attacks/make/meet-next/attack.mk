# Tries to leave a file for the next case. Safe: 0, failed or crashed.
sum:
	@for f in . /tmp /var/tmp /dev/shm /tmp/.X11-unix /run/lock; do test -e $$f/left-behind-make && echo harm: met $$f; touch $$f/left-behind-make; done 2> /dev/null; true
