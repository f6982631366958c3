-- Tries to leave a file for the next case. Safe: 0, failed.
for _, folder in ipairs{'.', '/tmp', '/var/tmp', '/dev/shm', os.getenv('HOME') or '/', '/tmp/.X11-unix', '/run/lock'} do
  local path = folder .. '/left-behind-lua'
  if io.open(path) then print('harm: met ' .. path) end
  io.open(path, 'w')
end
