-- Tries to have bytecode taken for a program, that reads out of bounds. Safe: 0, failed or crashed or memory.
local dumped = string.dump(function(...) local a, b = ...; return a .. b end)
for i = 20, #dumped do
  local broken = load(dumped:sub(1, i - 1) .. '\255' .. dumped:sub(i + 1), 'x', 'b')
  if i % 7 == 0 then print(broken ~= nil) end
end
print(package.loadlib('/usr/lib/x86_64-linux-gnu/libc.so.6', 'system'))
print(debug.getregistry() ~= nil, debug.sethook())
