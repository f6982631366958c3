-- Tries to write over what everybody may write. Safe: 0, failed or crashed.
.bail off
.shell echo x >> $ROOM/world/precious && echo harm: wrote
.shell touch $ROOM/world/left-behind $ROOM/home/left-behind $ROOM/course/specs/left-behind && echo harm: wrote
.shell rm -rf $ROOM/world/precious $ROOM/course/specs 2> /dev/null && test -d $ROOM && echo harm: removed
.output "|tee $ROOM/world/left-behind > /dev/null"
select 'x';
.output
.shell test -e $ROOM/world/left-behind && echo harm: wrote
