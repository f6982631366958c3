-- Tries to write over what everybody may write. Safe: 0, failed.
local room = os.getenv('ROOM')

for _, name in ipairs{'/world/precious', '/world/left-behind', '/course/specs/lua.yaml', '/home/left-behind'} do
  local file = io.open(room .. name, 'a')
  if file then file:write('x'); file:close(); print('harm: wrote ' .. name) end
end
print(os.rename(room .. '/world/precious', room .. '/world/left-behind') and 'harm: renamed' or 'refused')
print(os.remove(room .. '/world/precious') and 'harm: removed' or 'refused')
