% Asks the queens/2 of a student for its answers: `swipl -q -g ask:ask ask.pl queens.pl N MOST` asks queens(N, Qs), and
% MOST times for an answer, which ends also what would never end. It writes, each on a line of its own,
%
%     ask: loaded             the program has been loaded, and can be asked
%     ask: missing [...]      it has no queens/2, but these predicates
%     ask: answer Qs          an answer, as soon as it is found
%     ask: error Term         queens/2 ended with this exception
%     ask: end                there is no other answer
%
% Where ASK_TOKEN is in the environment, the very first line is `ask: token T`, written before the program is loaded, and
% all of these begin with T: nobody knows it before, so that a program cannot write such lines itself.
%
% Without N and MOST it asks nothing. A program that calls halt while it is loaded would end before it is asked: here halt
% is an exception, and loading goes on.

:- module(ask, []).

:- multifile prolog:error_message//1.

prolog:error_message(calls_halt) --> ['it calls halt, which ends Prolog before anybody can ask it'].

:- redefine_system_predicate(user:halt).
:- redefine_system_predicate(user:halt(_)).

% Standard output and standard error share a position: a message on the one would be taken for a new line on the other.
:- set_stream(user_output, record_position(true)).

:- dynamic token/1.

:- (   getenv('ASK_TOKEN', _)
   ->  A is random(1 << 62), B is random(1 << 62),
       format(atom(Token), "~16r~16r ", [A, B]),
       format(user_output, "ask: token ~w~n", [Token]),
       flush_output(user_output)
   ;   Token = ''
   ),
   assertz(token(Token)).

user:halt :- throw(error(calls_halt, _)).
user:halt(_) :- user:halt.

ask :-
    token(Token),
    format(user_output, "~N~wask: loaded~n", [Token]),
    current_prolog_flag(argv, Words),
    (   append(_, [Size, Limit], Words)
    ->  atom_number(Size, N),
        atom_number(Limit, Most),
        queens(N, Most)
    ;   true
    ),
    system:halt(0).

queens(_, _) :-
    \+ current_predicate(user:queens/2),
    !,
    findall(Name/Arity, own(Name, Arity), Names),
    sort(Names, Sorted),
    line(missing, Sorted).
queens(N, Most) :-
    catch(answers(N, Most), Error, (reason(Error, Reason), line(error, Reason), print_message(error, Error))).

reason(error(Reason, _), Reason) :- !.
reason(Reason, Reason).

answers(N, Most) :-
    State = found(0),
    (   user:queens(N, Qs),
        line(answer, Qs),
        arg(1, State, Before),
        Found is Before + 1,
        nb_setarg(1, State, Found),
        Found >= Most
    ->  true
    ;   token(Token),
        format(user_output, "~N~wask: end~n", [Token])
    ).

% Without its constraints: a variable would bring all of them along.
line(Word, Term) :-
    copy_term(Term, Plain, _),
    numbervars(Plain, 0, _),
    token(Token),
    format(user_output, "~N~wask: ~w ", [Token, Word]),
    write_term(user_output, Plain, [quoted(true), numbervars(true)]),
    nl(user_output),
    flush_output(user_output).

own(Name, Arity) :-
    source_file(_:Head, File),
    file_base_name(File, 'queens.pl'),
    functor(Head, Name, Arity).
