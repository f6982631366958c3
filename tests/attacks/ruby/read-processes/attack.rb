# Tries to read what other processes were started with. Safe: 0, failed or crashed.
(Dir.children('/proc').grep(/\A\d+\z/) + [ENV['VICTIM']]).each do |pid|
  %w[environ cmdline cwd/.netrc root/etc/shadow].each do |name|
    puts File.binread("/proc/#{pid}/#{name}").tr("\0", ' ')
  rescue SystemCallError, IOError
    next
  end
end
