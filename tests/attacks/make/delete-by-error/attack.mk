# Tries to have make delete a file of others as a broken target. Safe: 0, failed or crashed.
.DELETE_ON_ERROR:
.INTERMEDIATE: $(ROOM)/world/precious
sum: $(ROOM)/world/precious
$(ROOM)/world/precious: force
	@touch -c $@; false
force:
