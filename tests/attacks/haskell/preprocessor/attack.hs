-- Tries to have a program of its own read the source by OPTIONS_GHC. Safe: 0, build-failed or failed.
{-# OPTIONS_GHC -F -pgmF ./mine.sh #-}
main :: IO ()
main = putStrLn "held"
