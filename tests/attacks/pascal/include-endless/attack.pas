// Tries to have the compiler read what does not end. Safe: 0, build-failed.
program attack;
{$I /dev/zero}
{$I /dev/stdin}
{$I /dev/urandom}
begin
end.
