#!/bin/sh
touch /srv/left-behind-start
