# Tries to take the time of others by a priority. Safe: 0, failed or crashed.
sum:
	-@renice -n 19 -p $(VICTIM) && echo harm: changed
	-@chrt -i -p 0 $(VICTIM) && echo harm: changed
	-@taskset -p 1 $(VICTIM) && echo harm: changed
	-@prlimit --pid $(VICTIM) --nofile=3 && echo harm: changed
