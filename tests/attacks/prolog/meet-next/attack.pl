% Tries to leave a file for the next case. Safe: 0, failed.
main :-
    forall(member(F, ['.', '/tmp', '/var/tmp', '/dev/shm', '/tmp/.X11-unix', '/run/lock']),
        ( atom_concat(F, '/left-behind-prolog', Path),
          ( exists_file(Path) -> format("harm: met ~w~n", [Path]) ; true ),
          catch((open(Path, write, S), close(S)), _, true) )).
