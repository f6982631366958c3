package.path = './lib/?.lua;' .. package.path
print(require('sum')(math.tointeger(arg[1])))
