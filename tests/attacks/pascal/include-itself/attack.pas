// Tries to make the source as large as can be. Safe: 0, build-failed.
program attack;
{$I attack.pas}
{$I attack.pas}
begin
end.
