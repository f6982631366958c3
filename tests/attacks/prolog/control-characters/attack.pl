% Tries to paint over the terminal and turn the text round. Safe: 0, failed.
main :-
    format("\e[2J\e]0;harm\a\e[8m~c31m~c~c~c\r\b passed", [0x9b, 0x202e, 0x2066, 0]),
    format(user_error, "\e[1A\e[2K\e]8;;http://example.org\apassed\e]8;;\a", []).
