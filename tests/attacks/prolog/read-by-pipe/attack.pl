% Tries to read by the shell and by pipes. Safe: 0, failed or crashed.
main :-
    open(pipe('cat $ROOM/home/.netrc $ROOM/course/*/honest/notes /proc/*/environ'), read, In, [encoding(octet)]),
    read_string(In, _, Text), writeln(Text),
    shell('cat $ROOM/home/.ssh/id', Status), writeln(Status),
    process_create(path(find), [env('ROOM')], [stderr(null)]).
