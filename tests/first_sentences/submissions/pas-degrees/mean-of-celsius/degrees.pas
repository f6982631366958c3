program Degrees;
var
  first, last, step, c, rows, freezing: integer;
  f, sum: real;
begin
  read(first, last, step);
  rows := 0;
  freezing := 0;
  sum := 0;
  c := first;
  while c <= last do
  begin
    f := c * 9 / 5 + 32;
    writeln(c, ' ', f:0:1);
    rows := rows + 1;
    sum := sum + c;
    if c < 0 then
      freezing := freezing + 1;
    c := c + step;
  end;
  writeln('Rows: ', rows);
  writeln('Mean: ', sum / rows:0:1);
  writeln('Freezing: ', freezing);
end.
