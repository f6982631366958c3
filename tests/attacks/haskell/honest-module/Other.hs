module Other (total) where

total :: Integer -> Integer
total n = sum [1 .. n]
