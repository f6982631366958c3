-- Tries to fill the memory with tables. Safe: 0, crashed or memory or timeout.
local last
while true do last = { last, {}, {} } end
