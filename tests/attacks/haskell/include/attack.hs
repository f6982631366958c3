-- Tries to include what the compiler can read by CPP. Safe: 0, build-failed.
{-# LANGUAGE CPP #-}
#include "/proc/self/environ"
#include "/etc/shadow"
main :: IO ()
main = putStrLn "held"
