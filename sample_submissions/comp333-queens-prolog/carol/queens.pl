:- use_module(library(clpfd)).

queens(N, Qs) :-
    length(Qs, N),
    Qs ins 1..N,
    safe(Qs),
    labeling([ff], Qs).

safe([]).
safe([Q|Qs]) :- safe_from(Qs, Q, 1), safe(Qs).

safe_from([], _, _).
safe_from([P|Ps], Q, D) :-
    P #\= Q,
    abs(P - Q) #\= D,
    D1 #= D + 1,
    safe_from(Ps, Q, D1).
