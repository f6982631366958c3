-- Tries to fill the memory with text. Safe: 0, crashed or memory.
local all = {}
while true do all[#all + 1] = ('x'):rep(1 << 20) .. #all end
