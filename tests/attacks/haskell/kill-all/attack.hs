-- Tries to end every process that it sees from Haskell. Safe: 0, failed or crashed or timeout.
import Foreign.C

main :: IO ()
main = do
  run "kill -9 -1; echo tried"

foreign import ccall "stdlib.h system" system :: CString -> IO CInt

run :: String -> IO ()
run command = withCString command system >>= print
