unit sums;

interface

function sum(n: int64): int64;

implementation

function sum(n: int64): int64;
begin
  if n = 0 then
    sum := 0
  else
    sum := n + sum(n - 1);
end;

end.
