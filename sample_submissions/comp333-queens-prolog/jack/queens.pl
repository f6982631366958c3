% All N to the power of N ways of putting one queen into each column.

queens(N, Qs) :-
    length(Qs, N),
    choose(Qs, N),
    safe(Qs).

choose([], _).
choose([Q|Qs], N) :- between(1, N, Q), choose(Qs, N).

safe(Qs) :-
    \+ ( nth1(I, Qs, A), nth1(J, Qs, B), I < J,
         ( A =:= B ; abs(A - B) =:= J - I ) ).
