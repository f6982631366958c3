-- Tries to take the compiler's memory by a type. Safe: 0, build-failed.
main :: IO ()
main = print (length (show (fst (w w))))
 where
  a x = (x, x)
  b = a . a . a . a
  c = b . b . b . b
  w _ = (c (c (c ())), ())
