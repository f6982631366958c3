# Tries to print without end. Safe: 0, output.
x := $(shell seq 1 20000)
sum: $(addprefix p,$(x))
p%:
	$(info $(x))$(warning $(x))
