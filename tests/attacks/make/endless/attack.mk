# Tries to wait without end. Safe: 0, timeout.
sum:
	-@trap '' TERM INT HUP; sleep 60
