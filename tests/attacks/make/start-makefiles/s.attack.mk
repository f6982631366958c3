$(shell touch /tmp/left-behind-start /srv/left-behind-start)
