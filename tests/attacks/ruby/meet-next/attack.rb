# Tries to leave a file for the next case. Safe: 0, failed.
['.', '/tmp', '/var/tmp', '/dev/shm', ENV['HOME'] || '/', '/tmp/.X11-unix', '/run/lock'].each do |folder|
  path = "#{folder}/left-behind-ruby"
  puts "harm: met #{path}" if File.exist?(path)
  File.write(path, 'x') rescue nil
end
