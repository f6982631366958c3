-- Tries to print files as the message of a syntax error. Safe: 0, failed.
local room = os.getenv('ROOM')

for _, name in ipairs{room .. '/home/.netrc', room .. '/course/lua/honest/notes', '/etc/shadow', '/proc/1/environ'} do
  print(select(2, pcall(dofile, name)))
  print(select(2, loadfile(name)))
  print(package.searchpath('x', name))
end
