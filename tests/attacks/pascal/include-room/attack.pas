// Tries to have the compiler print secrets of a home. Safe: 0, build-failed.
program attack;
{$I ROOM/home/.netrc}
{$I home/.netrc}
{$I honest/notes}
{$INCLUDE cpp.yaml}
{$I pascal.yaml}
begin
end.
