// Tries to have a product that is too large. Safe: 0, build-failed or failed or crashed or memory or output.
program attack;
const
  many = 300000000;
var
  all: array[1..many] of byte = (1);
  more: array[1..2000000000] of int64;
begin
  more[5] := all[1];
  writeln(more[5]);
end.
