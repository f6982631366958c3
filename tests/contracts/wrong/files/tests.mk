all:
	@echo 1..1
	@python3 echo.py a >&2 && echo "ok 1 - starts"
