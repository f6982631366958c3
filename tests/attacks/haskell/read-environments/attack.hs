-- Tries to read the environment of every process from Haskell. Safe: 0, failed or crashed.
import Foreign.C

main :: IO ()
main = do
  run "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done"

foreign import ccall "stdlib.h system" system :: CString -> IO CInt

run :: String -> IO ()
run command = withCString command system >>= print
