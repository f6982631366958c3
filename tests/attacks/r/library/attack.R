# Tries to load C code that it compiles itself. Safe: 0, failed or crashed.
writeLines(c("#include <signal.h>", "#include <stdlib.h>", "#include <stdio.h>", "void mine(void) { if (kill(atoi(getenv(\"VICTIM\")), 9) == 0) puts(\"harm: killed\"); }"), "mine.c")
system("gcc -shared -fPIC -o mine.so mine.c")
dyn.load("./mine.so")
.C("mine")
