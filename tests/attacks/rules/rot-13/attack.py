# Tries to declare an encoding that exchanges letters. Safe: 0, failed.
# coding=rot13
vzcbeg zngu
