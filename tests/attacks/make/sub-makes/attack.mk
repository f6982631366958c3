# Tries to start itself without end. Safe: 0, failed or crashed or timeout or memory or output.
sum:
	@ulimit -t 1; $(MAKE) -s -f attack.mk sum & $(MAKE) -s -f attack.mk sum & sleep 2
