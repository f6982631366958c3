# Tries to print files as the message of a syntax error. Safe: 0, failed.
room = ENV['ROOM']

["#{room}/home/.netrc", "#{room}/course/ruby/honest/notes", '/etc/shadow'].each do |name|
  load name
rescue Exception => error
  puts error.class
end
puts `ruby -c #{room}/home/.netrc #{room}/course/ruby/honest/notes 2>&1`.lines.size
