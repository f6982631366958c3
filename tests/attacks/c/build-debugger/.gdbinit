shell touch /srv/left-behind-start
