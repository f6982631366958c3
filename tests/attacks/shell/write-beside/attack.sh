# Tries to leave a file outside. Safe: 0, failed.
for d in "$ROOM/world" /var/tmp /var/lock /run /opt /srv /mnt /; do echo x > "$d/left-behind"; done
