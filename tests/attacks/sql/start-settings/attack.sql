-- Tries to have commands run before the program, by the settings of the shell. Safe: 10, passed.
select n * (n + 1) / 2 from input;
