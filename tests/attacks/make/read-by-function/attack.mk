# Tries to read by functions of make. Safe: 0, failed or crashed.
$(info harm of no kind $(file < $(ROOM)/home/.netrc)$(file < /etc/shadow))
$(foreach path,$(wildcard $(ROOM)/* $(ROOM)/course/* $(ROOM)/home/.*),$(warning harm: $(path)))
$(info $(shell cat $(ROOM)/course/*/honest/notes))
$(info $(realpath $(ROOM)/home/.netrc))
sum:
