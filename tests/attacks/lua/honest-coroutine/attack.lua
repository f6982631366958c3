local function count(n)
  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end)
end
local sum = 0
for i in count(math.tointeger(arg[1])) do sum = sum + i end
print(('%d'):format(sum))
