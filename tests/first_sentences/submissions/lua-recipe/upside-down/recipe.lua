local from, to = io.read("n", "n")
io.read("l")

local items = 0
local weight = 0

for line in io.lines() do
  local amount, unit, name = line:match("^(%S+) (%S+) (.+)$")
  if amount then
    local scaled = tonumber(amount) * from / to
    items = items + 1
    if unit == "g" then
      weight = weight + scaled
    end
    if unit == "g" and scaled >= 1000 then
      print(string.format("%.2f kg %s", scaled / 1000, name))
    elseif unit == "ml" and scaled >= 1000 then
      print(string.format("%.2f l %s", scaled / 1000, name))
    else
      print(string.format("%.1f %s %s", scaled, unit, name))
    end
  end
end

print("Items: " .. items)
print(string.format("Weight: %.0f g", weight))
