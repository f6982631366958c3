% Tries to fill the memory with a term. Safe: 0, crashed or memory.
main :- grow([]).
grow(L) :- grow([L, L | L]).
