% Tries to plant links and pipes for whoever collects its files. Safe: 0, failed or crashed.
main :-
    forall(member(C, ['ln -s $ROOM/home/.netrc a; cat a', 'ln -s /etc/shadow b; cat b', 'ln $ROOM/world/precious c', 'ln -s $ROOM d; ls d/']),
        ( atom_concat(C, ' 2> /dev/null', D), ( shell(D, 0) -> format("harm: ~w~n", [C]) ; writeln(refused) ) )),
    shell('mkfifo pipe attack.fifo', _).
