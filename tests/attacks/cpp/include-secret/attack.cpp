// Tries to have the compiler print secrets of a home. Safe: 0, build-failed.
#define TEXT(path) #path
#define QUOTED(path) TEXT(path)
#include QUOTED(ROOM/home/.netrc)
#include QUOTED(ROOM/home/.ssh/id)
#include QUOTED(ROOM/course/cpp/honest/notes)
#include QUOTED(ROOM/course/specs/cpp.yaml)
