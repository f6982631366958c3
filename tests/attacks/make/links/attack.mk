# Tries to plant links and pipes for whoever collects its files. Safe: 0, failed or crashed.
sum:
	-@ln -s $(ROOM)/home/.netrc a; cat a && echo harm: read
	-@ln -s /etc/shadow b; cat b && echo harm: read
	-@ln $(ROOM)/world/precious c && echo harm: linked
	-@mkfifo pipe attack.fifo
