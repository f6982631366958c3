% Says what the one who asks would say, and can place no queen.

:- current_prolog_flag(argv, Words),
   (   append(_, ['4'|_], Words)
   ->  format("ask: loaded~nask: answer [2,4,1,3]~nask: answer [3,1,4,2]~nask: end~n")
   ;   format("ask: loaded~nask: answer [2,4,6,1,3,5]~nask: end~n")
   ).
