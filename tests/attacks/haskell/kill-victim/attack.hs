-- Tries to end a process of somebody else from Haskell. Safe: 0, failed or crashed.
import Foreign.C

main :: IO ()
main = do
  run "kill -9 $VICTIM; kill -19 $VICTIM; echo tried"

foreign import ccall "stdlib.h system" system :: CString -> IO CInt

run :: String -> IO ()
run command = withCString command system >>= print
