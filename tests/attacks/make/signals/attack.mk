# Tries to kill what is not its own. Safe: 0, failed or crashed or timeout.
sum:
	-@kill -9 $(VICTIM) && echo harm: killed
	-@kill -9 -$(VICTIM) && echo harm: killed
	-@kill -9 $$PPID
	-@kill -9 -1
