// Tries to take the terminal over by a message of the compiler. Safe: 0, build-failed.
#error "[2J]0;x ::error::x ]]> <script>"
