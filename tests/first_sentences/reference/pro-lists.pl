% count(X, List, N)
count(_, [], 0).
count(X, [X|T], N) :- !, count(X, T, N0), N is N0 + 1.
count(X, [_|T], N) :- count(X, T, N).

compress([], []).
compress([X|Xs], [X-N|Ps]) :-
    take(X, Xs, Rest, 1, N),
    compress(Rest, Ps).

take(X, [X|Xs], Rest, N0, N) :- !,
    N1 is N0 + 1,
    take(X, Xs, Rest, N1, N).
take(_, Rest, Rest, N, N).

longest(List, Best) :-
    compress(List, [First|Pairs]),
    best(Pairs, First, Best).

best([], Best, Best).
best([X-N|Ps], _-M, Best) :- N > M, !, best(Ps, X-N, Best).
best([_|Ps], Best0, Best) :- best(Ps, Best0, Best).

evens([], []).
evens([X|Xs], [X|Es]) :- 0 is X mod 2, !, evens(Xs, Es).
evens([_|Xs], Es) :- evens(Xs, Es).

mean(List, M) :-
    sum(List, S),
    length(List, N),
    N > 0,
    M is S / N.

sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0 + X.
