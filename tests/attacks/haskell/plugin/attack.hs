-- Tries to load a plugin of its own into the compiler. Safe: 0, build-failed or failed.
{-# OPTIONS_GHC -fplugin=Mine #-}
main :: IO ()
main = putStrLn "held"
