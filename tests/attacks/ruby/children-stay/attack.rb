# Tries to leave children in sessions of their own. Safe: 0, failed.
4.times do
  fork do
    Process.daemon(true, true)
    trap('TERM') {}
    exec('sh', '-c', 'sleep 30; : left-behind')
  end
end
sleep 0.2
puts 'done'
