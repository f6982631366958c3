% Asks for the number of queens while it is loaded.

:- write('How many queens? '), read(N), assertz(size(N)).

queens(N, Qs) :-
    findall(R, between(1, N, R), Rows),
    perm(Rows, Qs),
    \+ bad(Qs).

perm([], []).
perm(Rows, [Q|Qs]) :-
    select(Q, Rows, Rest),
    perm(Rest, Qs).

bad(Qs) :-
    append(_, [Q|After], Qs),
    nth1(D, After, Other),
    D =:= abs(Q - Other).
