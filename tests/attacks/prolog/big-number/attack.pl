% Tries to burn time and memory in one sum. Safe: 0, crashed or memory or timeout.
main :- catch(X is 7 ** 7 ** 9, E, (print_message(error, E), X = 0)), Y is 1 << (1 << 33), writeln(X), writeln(Y).
