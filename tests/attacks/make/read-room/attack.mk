# Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed or crashed.
sum:
	-@cat $(ROOM)/course/specs/*.yaml $(ROOM)/course/reference/* $(ROOM)/course/make/honest/notes $(ROOM)/home/.netrc $(ROOM)/home/.ssh/id
