# Tries to write over what everybody may write by targets outside. Safe: 0, failed or crashed.
sum: $(ROOM)/world/left-behind $(ROOM)/world/precious /etc/left-behind /usr/bin/left-behind
.IGNORE:
.PHONY: $(ROOM)/world/precious
$(ROOM)/world/left-behind /etc/left-behind /usr/bin/left-behind:
	@echo x > $@ && echo harm: wrote $@
$(ROOM)/world/precious:
	@rm $@ && echo harm: removed
