# Tries to open files for everybody, or close them. Safe: 0, failed.
chmod 777 "$ROOM" "$ROOM"/*; chmod 755 /usr && echo "harm:" modes; chmod 0 "$ROOM/world/precious"; chmod 1777 /var/tmp && echo "harm:" modes; :
