-- Tries to reach a server by the shells. Safe: 0, failed.
local port = os.getenv('PORT')
for _, command in ipairs{'echo left-behind > /dev/tcp/127.0.0.1/' .. port, 'exec 3<>/dev/udp/127.0.0.1/' .. port .. '; echo left-behind >&3; exit 1'} do
  print(os.execute("timeout 1 bash -c '" .. command .. "' 2> /dev/null") and 'harm: connected' or 'refused')
end
