-- Tries to never end while it is compiled by Template Haskell. Safe: 0, build-failed.
{-# LANGUAGE TemplateHaskell #-}
import Language.Haskell.TH

main :: IO ()
main = putStrLn $(do
  let forever_ n = if n < (0 :: Integer) then n else forever_ (n + 1)
  stringE (show (forever_ 1)))
