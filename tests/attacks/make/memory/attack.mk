# Tries to fill the memory of make. Safe: 0, crashed or memory or failed.
x := 0123456789012345678901234567890123456789
d = $(eval x := $(x)$(x)$(x)$(x))
$(foreach i,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16,$(d))
sum:
	@true
