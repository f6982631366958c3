open('/srv/left-behind-start', 'w')
