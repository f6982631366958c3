// Tries to fill the memory. Safe: 0, crashed or memory.
program attack;
var
  p: pbyte;
  i: longint;
begin
  for i := 1 to 4000 do
  begin
    getmem(p, 1048576);
    fillchar(p^, 1048576, i);
  end;
  writeln('harm: had 4000 MiB');
end.
