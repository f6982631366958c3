// Tries to have its own product taken for the program. Safe: 0, build-failed.
program attack;
{$FATAL no product}
begin
end.
