-- Tries to start the interpreter once more with what it loads first. Safe: 0, failed.
os.execute([[LUA_INIT="io.open(os.getenv('ROOM') .. '/world/left-behind', 'w'):write('x') print('harm: wrote')" lua5.4 -v]])
os.execute([[LUA_PATH="$ROOM/home/?" LUA_CPATH="$ROOM/?.so" lua5.4 -l .netrc -e "print('harm: loaded')"]])
os.execute([[LD_PRELOAD=./evil.so LD_LIBRARY_PATH=. lua5.4 -e "print(1)"]])
