# Read before the student's Makefile, when make clean is tried: builds with that Makefile, so that there is something to
# remove. Where that makes no class, because it does not work, the classes come from javac, and an empty jar with them.
ifeq ($(MAKELEVEL),0)
build := rm -f Queens; export MAKEFILES=; make; \
    test -n "$$(find . -name '*.class' -print -quit)" || { javac Queens.java || javac *.java; test -e Queens || touch Queens; }
$(shell ( $(build) ) > /dev/null 2>&1)
endif
