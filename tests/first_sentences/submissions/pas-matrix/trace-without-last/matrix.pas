program MatrixTool;

var
  a: array[1..10, 1..10] of longint;
  n, i, j: integer;
  trace: longint;
  symmetric: boolean;

function BestPath(row, column: integer): longint;
var
  right, down: longint;
begin
  if (row = n) and (column = n) then
    BestPath := a[row, column]
  else if row = n then
    BestPath := a[row, column] + BestPath(row, column + 1)
  else if column = n then
    BestPath := a[row, column] + BestPath(row + 1, column)
  else
  begin
    right := BestPath(row, column + 1);
    down := BestPath(row + 1, column);
    if right > down then
      BestPath := a[row, column] + right
    else
      BestPath := a[row, column] + down;
  end;
end;

begin
  readln(n);
  if n = 0 then
  begin
    writeln('Empty');
    halt(0);
  end;
  for i := 1 to n do
    for j := 1 to n do
      read(a[i, j]);
  for i := 1 to n do
  begin
    for j := 1 to n do
    begin
      if j > 1 then
        write(' ');
      write(a[j, i]);
    end;
    writeln;
  end;
  trace := 0;
  for i := 1 to n - 1 do
    trace := trace + a[i, i];
  writeln('Trace: ', trace);
  symmetric := true;
  for i := 1 to n do
    for j := 1 to n do
      if a[i, j] <> a[j, i] then
        symmetric := false;
  if symmetric then
    writeln('Symmetric: yes')
  else
    writeln('Symmetric: no');
  writeln('Best path: ', BestPath(1, 1));
end.
