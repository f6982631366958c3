% Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
main :-
    length(L, 1000000), maplist(=(0'x), L), string_codes(Text, L),
    forall((between(1, 400, I), member(F, ['/tmp/', './', '/dev/shm/'])),
        ( atomic_list_concat([F, file, I], Path), catch(setup_call_cleanup(open(Path, write, S), forall(between(1, 16, _), write(S, Text)), close(S)), _, true) )).
