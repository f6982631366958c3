program attack;

uses sums, sysutils;

begin
  writeln(sum(strtoint64(paramstr(1))));
end.
