-- Tries to print without end. Safe: 0, output.
local text, stop = ('x'):rep(65536), os.time() + 10
while os.time() < stop do io.stdout:write(text); io.stderr:write(text) end
