/** A value that follows another one only when that has rested. */
import { useEffect, useState } from 'preact/hooks'

/** Returns `value` as it was when it last did not change for `delayMs`; at once when it becomes ''. */
export const useDebounced = (value: string, delayMs: number): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === '') {
      setSettled('')
      return undefined
    }
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value === '' ? '' : settled
}
