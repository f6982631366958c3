// Tries to break the stack. Safe: 0, crashed or memory.
program attack;
{$S-}
function f(n: int64): int64;
var
  room: array[1..10000] of int64;
begin
  room[1 + n mod 10000] := n;
  f := f(n + 1) + room[5];
end;
begin
  writeln(f(1));
end.
