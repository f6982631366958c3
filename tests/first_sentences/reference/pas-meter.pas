program Meter;
var
  n, i, total, most, use: integer;
  mean: real;
  readings: array[1..100] of integer;
begin
  read(n);
  for i := 1 to n do
    read(readings[i]);
  if n < 2 then
  begin
    writeln('Too few readings');
    halt(0);
  end;
  total := 0;
  most := 1;
  for i := 2 to n do
  begin
    use := readings[i] - readings[i - 1];
    writeln('Month ', i - 1, ': ', use);
    total := total + use;
    if use > readings[most + 1] - readings[most] then
      most := i - 1;
  end;
  mean := total / (n - 1);
  writeln('Total: ', total);
  writeln('Mean: ', mean:0:2);
  writeln('Most: month ', most);
  for i := 2 to n do
    if readings[i] - readings[i - 1] > 2 * mean then
      writeln('Leak in month ', i - 1);
end.
