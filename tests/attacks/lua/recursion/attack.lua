-- Tries to break the stack of the interpreter. Safe: 0, failed or crashed or memory.
local function f(...) return f(1, ...) + 1 end
print(pcall(f))
print(pcall(string.rep, 'x', 1 << 40))
print(pcall(load, ('('):rep(1000000)))
local t = setmetatable({}, {}); getmetatable(t).__index = t
print(pcall(function() return t.x end))
print(load('\27Lua\84\0\25\147\r\n\26\n', 'x', 'b'))
