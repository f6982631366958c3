// Tries to have the compiler start programs from beside the source. Safe: 10, passed.
program attack;

var
  n: int64;
  code: integer;

begin
  val(paramstr(1), n, code);
  writeln(n * (n + 1) div 2);
end.
