/** Whether the person has had this window before them for a moment. */
import { useEffect, useState } from 'preact/hooks'

const SETTLED_MS = 500

/**
 * False until the window was visible and had the focus for half a second without a break. A page of another site can
 * bring this one under the pointer between the two presses of a double click; the second press then comes too early.
 */
export const useSettled = (): boolean => {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = (): void => {
      clearTimeout(timer)
      const before = document.visibilityState === 'visible' && document.hasFocus()
      if (before) timer = setTimeout(() => setSettled(true), SETTLED_MS)
      else setSettled(false)
    }
    check()
    addEventListener('focus', check)
    addEventListener('blur', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', check)
      removeEventListener('blur', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
  return settled
}
