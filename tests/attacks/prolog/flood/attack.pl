% Tries to print without end. Safe: 0, output or timeout.
main :- length(L, 65536), maplist(=(0'x), L), string_codes(Text, L), repeat, write(Text), write(user_error, Text), fail.
