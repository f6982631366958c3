# Tries to write over what everybody may write by a function. Safe: 0, failed or crashed.
$(file >> $(ROOM)/world/precious,x)
$(info harm: wrote)
sum:
	@echo $$(($(N) * ($(N) + 1) / 2))
