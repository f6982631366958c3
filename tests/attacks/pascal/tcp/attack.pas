// Tries to reach a server of the machine. Safe: 0, failed or crashed.
program attack;
uses sysutils, baseunix, sockets;
var
  there: tinetsockaddr;
  one: longint;
begin
  there.sin_family := af_inet;
  there.sin_port := htons(strtoint(getenvironmentvariable('PORT')));
  there.sin_addr.s_addr := htonl($7f000001);
  one := fpsocket(af_inet, sock_stream, 0);
  if (one >= 0) and (fpconnect(one, @there, sizeof(there)) = 0) then writeln('harm: connected') else writeln('refused');
  one := fpsocket(af_inet, sock_dgram, 0);
  if one >= 0 then fpsendto(one, @there, 4, 0, @there, sizeof(there));
end.
