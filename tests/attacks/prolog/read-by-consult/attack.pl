% Tries to print files as the messages of syntax errors. Safe: 0, failed or crashed.
main :-
    getenv('ROOM', Room),
    forall(member(Name, ['/home/.netrc', '/course/prolog/honest/notes', '/course/specs/prolog.yaml']),
        ( atom_concat(Room, Name, Path), catch(consult(Path), E, (print_message(error, E))) )),
    catch(load_files('/etc/shadow', [if(true)]), E, print_message(error, E)),
    catch(qcompile('/etc/shadow'), F, print_message(error, F)).
