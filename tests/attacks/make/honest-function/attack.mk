sum = $(shell expr $(1) '*' '(' $(1) + 1 ')' / 2)

sum:
	@echo $(call sum,$(N))

.PHONY: sum
