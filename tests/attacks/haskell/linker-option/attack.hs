-- Tries to give the linker a map outside by OPTIONS_GHC. Safe: 0, build-failed or failed.
{-# OPTIONS_GHC -optl-Wl,-Map=/usr/left-behind #-}
main :: IO ()
main = putStrLn "held"
