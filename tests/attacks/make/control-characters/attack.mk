# Tries to paint over the terminal and turn the text round. Safe: 0, failed or crashed.
sum:
	@printf '\033[2J\033]0;harm\007\033[8m\23331m\342\200\256\342\201\246\000\r\b passed'
	@printf '\033[1A\033[2K\033]8;;http://example.org\007passed' >&2
$(warning [2J::error::harm of the log)
