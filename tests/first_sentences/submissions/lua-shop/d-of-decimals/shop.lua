local Shop = {}
Shop.__index = Shop

function Shop.new()
  return setmetatable({ sold = {}, order = {} }, Shop)
end

function Shop:sell(item, price)
  if not self.sold[item] then
    self.sold[item] = 0
    table.insert(self.order, item)
  end
  self.sold[item] = self.sold[item] + price
end

function Shop:size()
  local size = 0
  for _ in pairs(self.sold) do
    size = size + 1
  end
  return size
end

local shop = Shop.new()
local sum, lines = 0, 0
for line in io.lines() do
  local item, price = line:match("(%a+) ([%d.]+)")
  shop:sell(item, tonumber(price))
  sum = sum + tonumber(price)
  lines = lines + 1
end
table.sort(shop.order, function(a, b) return shop.sold[a] > shop.sold[b] end)
for _, item in ipairs(shop.order) do
  print(string.format("%s: %.2f", item, shop.sold[item]))
end
print("Items: " .. shop:size())
print(string.format("Mean: %d", sum / lines))
