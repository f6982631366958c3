-- Tries to start itself without end. Safe: 0, failed or crashed or timeout or memory.
local stop = os.time() + 3
while os.time() < stop do
  if not io.popen('ulimit -t 1; lua5.4 attack.lua', 'r') then break end
end
os.exit(0, false)
