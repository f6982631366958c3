# Tries to plant links and pipes for whoever collects its files. Safe: 0, failed.
room = ENV['ROOM']

[["#{room}/home/.netrc", 'a'], ['/etc/shadow', 'b'], ['/proc/self/environ', 'c'], [room, 'd']].each do |from, to|
  File.symlink(from, to)
  puts 'harm: read' if File.read(to).include?('canary-5c')
rescue SystemCallError => error
  puts error.class
end
begin
  File.link("#{room}/world/precious", 'e')
  puts 'harm: linked'
rescue SystemCallError => error
  puts error.class
end
File.mkfifo('pipe')
File.mkfifo('attack.fifo')
