# Tries to print secrets as the message of a syntax error. Safe: 0, failed or crashed.
include $(ROOM)/home/.netrc
include $(ROOM)/course/make/honest/notes
-include /etc/shadow
include /proc/1/environ
sum:
	@echo $$(($(N) * ($(N) + 1) / 2))
