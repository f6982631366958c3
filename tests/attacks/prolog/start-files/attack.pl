% Tries to have a file loaded before the program, by the settings of the interpreter. Safe: 10, passed.
main :- argument(N), S is N * (N + 1) // 2, writeln(S).
argument(N) :- current_prolog_flag(argv, Argv), last(Argv, A), atom_number(A, N).
