local grid = {}
for line in io.lines() do
  grid[#grid + 1] = line
end

local function is_mine(row, column)
  if row < 1 or row > #grid or column < 1 or column > #grid[row] then
    return false
  end
  return grid[row]:sub(column, column) == "*"
end

local mines, fields, most = 0, 0, 0
for row = 1, #grid do
  local shown = ""
  for column = 1, #grid[row] do
    fields = fields + 1
    if is_mine(row, column) then
      mines = mines + 1
      shown = shown .. "*"
    else
      local near = 0
      for down = -1, 1 do
        for right = -1, 1 do
          if is_mine(row + down, column + right) then
            near = near + 1
          end
        end
      end
      shown = shown .. near
    end
  end
  local _, inrow = grid[row]:gsub("%*", "")
  most = math.max(most, inrow)
  print(shown)
end
if fields == 0 then
  print("No field")
else
  print("Mines: " .. mines)
  print("Most: " .. most)
  print(string.format("Share: %.1f %%", 100 * mines / fields))
end
