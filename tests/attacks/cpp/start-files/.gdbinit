shell touch /tmp/left-behind-start
