-- Tries to shadow the interpreter and its libraries. Safe: 10, passed.
require('string')
require('os')
local n = tonumber(arg[1])
print(n * (n + 1) // 2)
