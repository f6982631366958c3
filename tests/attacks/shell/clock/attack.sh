# Tries to set the clock. Safe: 0, failed.
date -s "@$(date +%s)" > /dev/null && echo "harm:" clock; hwclock --systohc && echo "harm:" clock; :
