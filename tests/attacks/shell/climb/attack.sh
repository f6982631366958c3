# Tries to climb out of its folder. Safe: 0, failed.
cd ../../../../../../../../../.. && cat ".$ROOM"/course/specs/*; ls work home root
