program Calls;

const
  Price = 9;
  Maximum = 90;

var
  day, seconds, current, number, cost: integer;
  total, count, days, capped, dearest, highest, sum: integer;

function CostOf(s: integer): integer;
begin
  if s < 6 then
    CostOf := 0
  else
    CostOf := (s + 59) div 60 * Price;
end;

procedure EndOfDay;
begin
  total := total + cost;
  if cost > Maximum then
  begin
    cost := Maximum;
    capped := capped + 1;
  end;
  writeln('Day ', current, ': ', number, ' calls, ', cost, ' cents');
  days := days + 1;
  if cost > highest then
  begin
    highest := cost;
    dearest := current;
  end;
end;

begin
  current := 0;
  number := 0;
  cost := 0;
  total := 0;
  count := 0;
  days := 0;
  capped := 0;
  dearest := 0;
  highest := -1;
  sum := 0;
  while not seekeof do
  begin
    readln(day, seconds);
    if (current <> 0) and (day <> current) then
    begin
      EndOfDay;
      number := 0;
      cost := 0;
    end;
    current := day;
    number := number + 1;
    cost := cost + CostOf(seconds);
    sum := sum + seconds;
    count := count + 1;
  end;
  if count = 0 then
    writeln('No calls')
  else
  begin
    EndOfDay;
    writeln('Total: ', total, ' cents');
    writeln('Mean: ', sum / count:0:1, ' seconds');
    writeln('Dearest: day ', dearest);
    writeln('Capped: ', capped);
  end;
end.
