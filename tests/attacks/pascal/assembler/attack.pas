// Tries to call the system past its libraries. Safe: 0, failed or crashed.
program attack;
{$asmmode intel}
function call(number, a, b: int64): int64; assembler; nostackframe;
asm
  mov rax, rdi
  mov rdi, rsi
  mov rsi, rdx
  syscall
end;
var
  number: int64;
begin
  for number in [101, 161, 165, 169, 246, 250] do
    if call(number, 16, 0) >= 0 then
      writeln('harm: call ', number);
  if call(272, $10000000, 0) >= 0 then
    writeln('harm: namespace');
  if call(321, 0, 0) >= 0 then
    writeln('harm: bpf');
end.
