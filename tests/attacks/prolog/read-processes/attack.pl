% Tries to read what other processes were started with. Safe: 0, failed or crashed.
main :-
    expand_file_name('/proc/[0-9]*/{environ,cmdline,cwd/.netrc}', Paths),
    forall(member(Path, Paths), catch((read_file_to_string(Path, Text, [encoding(octet)]), print(Text), nl), _, true)),
    forall(catch(environ(All), _, fail), (print(All), nl)).
