program heat;

var
  start, stop, step, celsius: integer;
  fahrenheit, sum: real;
  rows, frost: integer;

function converted(value: integer): real;
begin
  converted := value * 9 div 5 + 32;
end;

begin
  readln(start, stop, step);
  rows := 0;
  frost := 0;
  sum := 0;
  celsius := start;
  while celsius <= stop do
  begin
    fahrenheit := converted(celsius);
    writeln(celsius:5, fahrenheit:8:1);
    rows := rows + 1;
    sum := sum + fahrenheit;
    if celsius < 0 then
      frost := frost + 1;
    celsius := celsius + step;
  end;
  writeln('Rows: ', rows);
  writeln('Frost: ', frost);
  if rows > 0 then
    writeln('Mean: ', sum / rows:0:2);
end.
