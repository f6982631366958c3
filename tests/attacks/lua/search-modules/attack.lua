-- Tries to load modules out of the course by the search path. Safe: 0, failed.
local room = os.getenv('ROOM')

package.path = room .. '/course/lua/honest/?.lua;' .. room .. '/home/?;' .. room .. '/course/reference/?.py'
package.cpath = room .. '/course/?.so;/proc/self/fd/?'
for _, name in ipairs{'attack', '.netrc', 'sum', '3'} do
  local ok, found = pcall(require, name)
  print(ok and 'harm: loaded ' .. tostring(found) or 'refused')
end
