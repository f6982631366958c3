-- Tries to plant links and pipes for whoever collects its files. Safe: 0, failed.
local room = os.getenv('ROOM')

for _, command in ipairs{'ln -s $ROOM/home/.netrc a; cat a', 'ln -s /etc/shadow b; cat b', 'ln $ROOM/world/precious c', 'ln -s $ROOM d; ls d/', 'cp -l /usr/bin/env e', 'mkfifo pipe attack-pipe; false'} do
  print(os.execute(command .. ' 2> /dev/null') and 'harm: ' .. command or 'refused')
end
