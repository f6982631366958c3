% Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
main :-
    getenv('ROOM', Room),
    forall(member(Name, ['course/specs/prolog.yaml', 'course/reference/sum.py', 'course/prolog/honest/notes', 'home/.netrc', 'home/.ssh/id']),
        ( atomic_list_concat([Room, /, Name], Path),
          catch((read_file_to_string(Path, Text, []), format("harm: ~s~n", [Text])), _, writeln(refused)) )).
