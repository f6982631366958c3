program attack;

var
  f: text;
  n, i, s: int64;

begin
  assign(f, 'n.txt');
  rewrite(f);
  writeln(f, paramstr(1));
  close(f);
  reset(f);
  readln(f, n);
  close(f);
  s := 0;
  i := 0;
  repeat
    inc(s, i);
    inc(i);
  until i > n;
  writeln(s);
end.
