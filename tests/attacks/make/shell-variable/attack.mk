# Tries to have another program for a shell. Safe: 0, failed or crashed.
SHELL = /usr/bin/python3
.SHELLFLAGS = -c
export BASH_ENV = evil.sh
export ENV = evil.sh
sum:
	@import os; print(open(os.environ['ROOM'] + '/home/.netrc').read())
