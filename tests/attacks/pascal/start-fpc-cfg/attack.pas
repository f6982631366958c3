// Tries to have the compiler read a whole configuration from beside the source. Safe: 0, build-failed.
program attack;

var
  n: int64;
  code: integer;

begin
  val(paramstr(1), n, code);
  writeln(n * (n + 1) div 2);
end.
