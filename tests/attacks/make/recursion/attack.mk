# Tries to break the stack of make. Safe: 0, crashed or memory or failed or timeout.
f = $(call f,$(1)x)x
$(info $(call f,x))
sum:
