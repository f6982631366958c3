# Tries to take the time of others by a priority. Safe: 0, failed.
begin
  Process.setpriority(Process::PRIO_PROCESS, ENV['VICTIM'].to_i, 19)
  puts 'harm: changed'
rescue SystemCallError => error
  puts error.class
end
begin
  Process.setrlimit(:NPROC, 100_000, 100_000)
  Process::UID.change_privilege(0)
  puts 'harm: is root'
rescue SystemCallError, ArgumentError => error
  puts error.class
end
