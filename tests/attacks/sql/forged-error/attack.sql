-- Tries to be ungraded by the words of a machine that failed. Safe: 0, crashed or failed.
.shell echo 'Error: cannot open "attack.sql"' >&2
.shell echo 'bwrap: Creating new namespace failed: Resource temporarily unavailable' >&2
.exit 1
