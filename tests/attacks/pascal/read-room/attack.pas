// Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
program attack;
uses sysutils;
procedure show(name: string);
var
  f: text;
  line: string;
begin
  assign(f, getenvironmentvariable('ROOM') + name);
  {$I-} reset(f); {$I+}
  if ioresult <> 0 then begin writeln('refused'); exit end;
  while not eof(f) do begin readln(f, line); writeln('harm: ', line) end;
end;
begin
  show('/course/specs/pascal.yaml');
  show('/course/reference/sum.py');
  show('/course/pascal/honest/notes');
  show('/home/.netrc');
  show('/home/.ssh/id');
end.
