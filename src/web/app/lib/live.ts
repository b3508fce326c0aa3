/**
 * What changes on the server while a page is shown: server-sent events. There is one connection while anything listens
 * and the window is seen, as browsers allow six to a server. Without it pages stay as they were loaded.
 */
import { useEffect, useRef } from 'preact/hooks'
import { API_PREFIX } from '../api/request.js'
import { BASE_PATH } from './base-path.js'

/** Gets the ids of explorations that changed; undefined when any may have. */
type Listener = (explorations: ReadonlySet<string> | undefined) => void

/** Agents may write often; pages follow at most once in this time. */
const GATHER_MS = 1000

const listeners = new Set<Listener>()
const changed = new Set<string>()
let source: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const tell: Listener = (explorations) => {
  for (const listener of listeners) listener(explorations)
}

const hear = ({ data }: MessageEvent<string>): void => {
  changed.add((JSON.parse(data) as { exploration_id: string }).exploration_id)
  timer ??= setTimeout(() => {
    timer = undefined
    tell(new Set(changed))
    changed.clear()
  }, GATHER_MS)
}

const connect = (): void => {
  const isWanted = listeners.size > 0 && document.visibilityState === 'visible'
  if (isWanted === (source !== undefined)) return
  source?.close()
  source = isWanted ? new EventSource(`${BASE_PATH}${API_PREFIX}/events`) : undefined
  source?.addEventListener('change', hear)
}

document.addEventListener('visibilitychange', () => {
  connect()
  if (source) tell(undefined)
})

/** Calls `listener` when explorations that the person sees have changed. */
export const useLive = (listener: Listener): void => {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const call: Listener = (explorations) => latest.current(explorations)
    listeners.add(call)
    connect()
    return () => {
      listeners.delete(call)
      connect()
    }
  }, [])
}
