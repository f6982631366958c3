% Tries to give its source another meaning by operators and flags. Safe: 0, failed or crashed.
:- op(0, xfx, :-), op(1200, xfx, ====>).
:- set_prolog_flag(double_quotes, atom), set_prolog_flag(on_error, print), set_prolog_flag(unknown, fail).
:- redefine_system_predicate(halt(_)), redefine_system_predicate(halt).
main ====> writeln(harm).
