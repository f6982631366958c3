:- use_module(lib/sum).
:- dynamic total/1.
main :- argument(N), sum(N, S), assertz(total(S)), total(T), writeln(T).

argument(N) :- current_prolog_flag(argv, Argv), last(Argv, A), atom_number(A, N).
