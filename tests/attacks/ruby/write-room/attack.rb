# Tries to write over what everybody may write. Safe: 0, failed.
room = ENV['ROOM']

%w[/world/precious /world/left-behind /course/specs/ruby.yaml /home/left-behind].each do |name|
  File.open(room + name, 'a') { |file| file.write('x') }
  puts "harm: wrote #{name}"
rescue SystemCallError => error
  puts error.class
end
File.unlink("#{room}/world/precious") rescue puts $!.class
File.chmod(0o777, room, "#{room}/world/precious", "#{room}/home") rescue puts $!.class
