# Tries to change the loader and the tools of what it starts. Safe: 0, failed or crashed.
export PATH := .:$(PATH)
export LD_PRELOAD = ./evil.so
export LD_LIBRARY_PATH = .
export MAKEFLAGS = --eval=$$(shell\ touch\ /srv/left-behind-start)
export GIT_CONFIG_GLOBAL = evil
sum:
	@env | grep canary-5c; sum-of-all; true
