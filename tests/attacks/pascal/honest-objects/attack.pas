{$mode objfpc}
program attack;

uses sysutils, classes;

var
  list: tstringlist;
  i, s: int64;

begin
  list := tstringlist.create;
  try
    for i := 1 to strtoint64(paramstr(1)) do
      list.add(inttostr(i));
    s := 0;
    for i := 0 to list.count - 1 do
      s := s + strtoint64(list[i]);
    writeln(s);
  finally
    list.free;
  end;
end.
