for _, path in ipairs{'/tmp/left-behind-start', '/srv/left-behind-start'} do
  local file = io.open(path, 'w')
  if file then file:close() end
end
print('harm: was started')
