local n = tonumber(arg[1])
print(n * (n + 1) // 2)
