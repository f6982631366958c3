# Tries to start make once more with what it reads first. Safe: 0, failed or crashed.
sum:
	-@MAKEFILES=$(ROOM)/home/.netrc $(MAKE) -f /dev/null none
	-@echo '$$(shell touch $(ROOM)/world/left-behind && echo harm: wrote >&2)' | MAKEFLAGS= $(MAKE) -f - none
	-@GNUMAKEFLAGS='-C $(ROOM)' $(MAKE) -n
