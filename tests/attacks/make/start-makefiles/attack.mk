# Tries to have rules read before its own, by files beside it. Safe: 10, passed.
sum:
	@echo $$(($(N) * ($(N) + 1) / 2))
