-- Tries to write into the system. Safe: 0, failed.
for _, name in ipairs{'/usr/bin/left-behind', '/etc/left-behind', '/usr/share/lua/5.4/left-behind.lua', '/proc/sys/kernel/core_pattern', '/dev/kmsg'} do
  local file = io.open(name, 'w')
  if file then
    file:write('x')
    print(file:close() and name ~= '/dev/kmsg' and 'harm: wrote ' .. name or 'refused')
  end
end
print('done')
