.SILENT:

sum: total
	cat total

total: numbers
	awk '{ s += $$1 } END { print s }' numbers > $@

numbers:
	seq 1 $(N) > $@
