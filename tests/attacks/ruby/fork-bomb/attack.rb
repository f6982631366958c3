# Tries to start processes without end. Safe: 0, failed or crashed or timeout or memory.
stop = Time.now + 3
begin
  fork while Time.now < stop
rescue SystemCallError
  sleep 0.1
  retry if Time.now < stop
end
exit!(0)
