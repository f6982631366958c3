-- Tries to have a file loaded before the program, by the settings of the interpreter. Safe: 10, passed.
local n = tonumber(arg[1])
print(n * (n + 1) // 2)
