-- Tries to burn time without end. Safe: 0, timeout.
local stop = os.time() + 60
while os.time() < stop do end
