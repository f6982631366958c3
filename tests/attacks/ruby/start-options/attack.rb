#!/usr/bin/ruby -x/ -W0 -r./evil -I/ -s -Eutf-7
# -*- coding: utf-7 -*-
# Tries to be read in another encoding.
puts 'harm'
__END__
