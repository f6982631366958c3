local sum = 0
for i = 1, tonumber(arg[1]) do
  sum = sum + i
end
io.write(sum, '\n')
