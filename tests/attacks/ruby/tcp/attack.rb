# Tries to reach a server of the machine. Safe: 0, failed.
require 'socket'
begin
  Socket.tcp('127.0.0.1', ENV['PORT'].to_i, connect_timeout: 1) { |one| one.write('left-behind') }
  puts 'harm: connected'
rescue SystemCallError => error
  puts error.class
end
begin
  UNIXSocket.open("#{ENV['ROOM']}/world/socket") { |one| one.write('left-behind') }
  puts 'harm: connected'
rescue SystemCallError => error
  puts error.class
end
