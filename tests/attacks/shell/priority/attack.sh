# Tries to get a better place at the processor. Safe: 0, failed.
renice -n -20 $$ && echo "harm:" nice; chrt -f -p 99 $$ && echo "harm:" real time; ionice -c 1 -p $$ && echo "harm:" disk
