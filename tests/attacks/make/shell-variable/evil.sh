touch /srv/left-behind-start
