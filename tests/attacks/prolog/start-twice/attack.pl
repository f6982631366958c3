% Tries to end before its main is called. Safe: 0, failed or crashed.
:- initialization((writeln(early), halt(0)), now).
:- initialization(main, main).
:- at_halt(writeln('{"verdict": "passed"}')).
main :- writeln(late).
