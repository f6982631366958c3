include lib/*.mk

sum:
	@$(SUM)
