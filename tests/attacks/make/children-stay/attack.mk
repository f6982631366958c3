# Tries to leave children that hold the output open. Safe: 0, failed or crashed.
sum:
	-@setsid sh -c 'trap "" TERM HUP; sleep 30; : left-behind' &
	@echo done
