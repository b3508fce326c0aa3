/** An action that runs, ends or fails: for buttons. */
import { useCallback, useRef, useState } from 'preact/hooks'
import { messageOf } from './problem.js'

/** Runs `work` once at a time. What it throws becomes `error`, a sentence that is gone with the next attempt. */
export const useAction = <Input = void>(work: (input: Input) => Promise<unknown>) => {
  const [{ pending, error }, setState] = useState<{ pending: boolean, error: string | undefined }>({
    pending: false, error: undefined
  })
  const running = useRef(false)
  const latest = useRef(work)
  latest.current = work
  const run = useCallback((input: Input): void => {
    if (running.current) return
    running.current = true
    setState({ pending: true, error: undefined })
    latest.current(input).then(
      () => setState({ pending: false, error: undefined }),
      (failure: unknown) => setState({ pending: false, error: messageOf(failure) })
    ).finally(() => { running.current = false })
  }, [])
  const clearError = useCallback(() => setState((state) => ({ ...state, error: undefined })), [])
  return { run, pending, error, clearError }
}
