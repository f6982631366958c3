#!/bin/sh
touch /tmp/left-behind-start
