-- Tries to kill what is not its own. Safe: 0, failed or crashed or timeout.
.bail off
.shell kill -9 $VICTIM && echo harm: killed
.shell kill -9 -$VICTIM && echo harm: killed
.shell renice -n 19 -p $VICTIM && echo harm: changed
.shell kill -9 -1
