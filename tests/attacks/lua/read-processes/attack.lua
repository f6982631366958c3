-- Tries to read what other processes were started with. Safe: 0, failed.
for _, pid in ipairs{1, 2, 3, os.getenv('VICTIM'), 'self/task/1', 'thread-self/../..'} do
  for _, name in ipairs{'environ', 'cmdline', 'cwd/.netrc', 'root/etc/shadow', 'mem'} do
    local file = io.open('/proc/' .. pid .. '/' .. name)
    if file then print((file:read(4096) or ''):gsub('%z', ' ')) end
  end
end
