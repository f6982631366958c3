-- Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
local block = ('x'):rep(1 << 24)
for i = 1, 200 do
  for _, folder in ipairs{'/tmp/', './', '/dev/shm/'} do
    local file = io.open(folder .. 'file-' .. i, 'w')
    if file then file:write(block); file:close() end
  end
end
