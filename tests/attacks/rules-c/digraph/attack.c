// Tries to write the signs of C in other letters. Safe: 0, failed.
%:include <stdlib.h>
%:define RUN system
int main(void) <% return RUN("true"); %>
