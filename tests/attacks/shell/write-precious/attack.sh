# Tries to change a file that everybody may write. Safe: 0, failed.
echo broken > "$ROOM/world/precious"; echo broken >> "$ROOM/world/precious"; rm -f "$ROOM/world/precious"
