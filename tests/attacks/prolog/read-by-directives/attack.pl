% Tries to include and load files while it is read. Safe: 0, failed or crashed.
:- include('/etc/shadow').
:- getenv('ROOM', Room), atom_concat(Room, '/home/.netrc', Path), load_files(Path, []).
:- getenv('ROOM', Room), atom_concat(Room, '/course/reference/sum.py', Path), exists_file(Path), writeln('harm: is there').
:- initialization((read_file_to_string('/proc/1/environ', Text, []), writeln(Text))).
main :- writeln(done).
