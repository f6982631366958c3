-- Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
local room = os.getenv('ROOM')

for _, name in ipairs{'course/specs/lua.yaml', 'course/reference/sum.py', 'course/lua/honest/notes', 'home/.netrc', 'home/.ssh/id'} do
  local file, why = io.open(room .. '/' .. name)
  print(file and 'harm: ' .. file:read('a') or why:gsub('.*: ', ''))
end
