# Tries to read by the names that open starts as commands. Safe: 0, failed.
room = ENV['ROOM']

require 'open3'
['|cat $ROOM/home/.netrc $ROOM/course/*/honest/notes', '|env -0 -u x cat /proc/[0-9]*/environ'].each do |name|
  puts open(name, &:read) rescue puts $!.class
end
puts Open3.capture2e('cat', "#{room}/home/.netrc").last.success? ? 'harm: read' : 'refused'
