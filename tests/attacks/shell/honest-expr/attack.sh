#!/bin/sh
set -eu
n=$1
expr "$n" '*' '(' "$n" + 1 ')' / 2
