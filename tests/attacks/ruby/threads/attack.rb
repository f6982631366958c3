# Tries to start threads without end. Safe: 0, failed or crashed or timeout or memory.
stop = Time.now + 3
all = []
begin
  all << Thread.new { sleep 3 } while Time.now < stop && all.size < 5000
rescue ThreadError => error
  puts error.class
end
exit!(0)
