sum:
	@$(MAKE) --no-print-directory -s -C lib sum N=$(N)
