% Left recursion: ok/2 asks itself before it has done anything.

:- set_prolog_flag(stack_limit, 40000000).   % not all the memory, if I go wrong

queens(N, Qs) :-
    length(Qs, N),
    numlist(1, N, Rows),
    fill(Qs, Rows),
    ok(Qs, N).

fill([], _).
fill([Q|Qs], Rows) :-
    select(Q, Rows, Rest),
    fill(Qs, Rest).

ok(Qs, N) :-
    ok(Qs, M),
    N is M + 1,
    apart(Qs, N).
ok(_, 0).

apart(Qs, N) :-
    forall((nth1(I, Qs, A), I < N, nth1(N, Qs, B)), abs(A - B) =\= N - I).
