% Looks at the diagonals of neighbouring columns only.

queens(N, Qs) :-
    numlist(1, N, Rows),
    permutation(Rows, Qs),
    safe(Qs).

safe([_]).
safe([A, B|Qs]) :-
    abs(A - B) =\= 1,
    safe([B|Qs]).
