# Tries to load native code into make. Safe: 0, failed or crashed.
load ./evil.so(setup)
-load /usr/lib/x86_64-linux-gnu/libc.so.6(system)
sum:
	@echo $$(($(N) * ($(N) + 1) / 2))
