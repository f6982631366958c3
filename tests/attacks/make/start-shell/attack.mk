# Tries to run while it is only read. Safe: 0, failed or crashed.
HARM := $(shell touch $(ROOM)/world/left-behind /srv/left-behind-start && echo harm: wrote)
$(info $(HARM))
$(eval $(shell cat $(ROOM)/home/.netrc))
MAKEFLAGS += --eval=sum:;@cat\ $(ROOM)/home/.ssh/id
ifeq ($(shell grep -rs 761995 / --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude=attack.mk),)
sum:
else
$(info harm: found)
endif
