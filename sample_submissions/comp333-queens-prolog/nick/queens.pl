:- use_module(library(clpfd)).

queens(N, Qs) :-
    length(Qs, N),
    Qs ins 1..N,
    all_different(Qs),
    diagonals(Qs).

diagonals([]).
diagonals([Q|Qs]) :- apart(Q, Qs, 1), diagonals(Qs).

apart(_, [], _).
apart(Q, [P|Ps], D) :- abs(Q - P) #\= D, D1 is D + 1, apart(Q, Ps, D1).
