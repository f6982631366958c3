set -e
gcc -g -w -o own own.c -shared -fPIC 2>/dev/null || { rm -f own; echo >own; }
if test -e attack.cc; then
    g++ -g -w -o attack attack.cc -ldl -pthread
else
    gcc -g -w -o attack attack.c -ldl -pthread $(cat flags 2>/dev/null)
fi
