// Tries to include a text that has no ending of C. Safe: 0, failed.
#include <stdlib.h>
#define NOTES "notes.txt"
#include NOTES
