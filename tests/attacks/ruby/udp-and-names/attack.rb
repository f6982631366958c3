# Tries to send a datagram, and ask for a name. Safe: 0, failed.
require 'socket'
begin
  UDPSocket.new.send('left-behind', 0, '127.0.0.1', ENV['PORT'].to_i)
rescue SystemCallError => error
  puts error.class
end
begin
  puts 'harm: ' + Addrinfo.getaddrinfo('example.org', 80).first.inspect
rescue SocketError => error
  puts error.class
end
