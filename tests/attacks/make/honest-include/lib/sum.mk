define SUM
python3 -c 'print(sum(range($(N) + 1)))'
endef
