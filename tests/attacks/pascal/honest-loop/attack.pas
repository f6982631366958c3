program attack;

uses sysutils;

function sum(n: longint): int64;
var
  i: longint;
begin
  sum := 0;
  for i := 1 to n do
    sum := sum + i;
end;

begin
  writeln(sum(strtoint(paramstr(1))));
end.
