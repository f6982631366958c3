% Tries to write over what everybody may write. Safe: 0, failed.
main :-
    getenv('ROOM', Room),
    forall(member(Name, ['/world/precious', '/world/left-behind', '/course/specs/prolog.yaml', '/home/left-behind']),
        ( atom_concat(Room, Name, Path),
          catch((open(Path, append, S), close(S), format("harm: wrote ~w~n", [Name])), _, writeln(refused)) )),
    atom_concat(Room, '/world/precious', Precious),
    catch((delete_file(Precious), writeln('harm: removed')), _, writeln(refused)).
