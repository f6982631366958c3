% All N to the power of N ways of putting one queen into each column; the even rows first, since 2 4 6 8 starts well.

queens(N, Qs) :-
    length(Qs, N),
    choose(Qs, N),
    safe(Qs).

choose([], _).
choose([Q|Qs], N) :- row(N, Q), choose(Qs, N).

row(N, Q) :- between(1, N, Q), 0 is Q mod 2.
row(N, Q) :- between(1, N, Q), 1 is Q mod 2.

safe([]).
safe([Q|Qs]) :- \+ ( nth1(D, Qs, P), ( P =:= Q ; abs(P - Q) =:= D ) ), safe(Qs).
