# Tries to make its own makefile anew, for ever. Safe: 0, failed or crashed or timeout or output.
attack.mk: force
	@echo '# once more' >> $@; sleep 0.1
force:
	@true
sum:
	@echo none
