// Tries to print without end. Safe: 0, output.
program attack;
var
  i: longint;
begin
  for i := 1 to 20000000 do
  begin
    writeln('0123456789012345678901234567890123456789');
    writeln(stderr, '0123456789012345678901234567890123456789');
  end;
end.
