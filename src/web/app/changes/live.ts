/** Follows what changes on the server. Without server-sent events pages stay as they were loaded. */
import { useEffect, useRef } from 'preact/hooks'
import { API_PREFIX } from '../api/request.js'
import { BASE_PATH } from '../lib/base-path.js'

type Listener = (changed: { has: (exploration: string) => boolean }) => void

/** Agents may write often: pages follow at most once in this time. */
const GATHER_MS = 1000

const listeners = new Set<Listener>()
let gathered = new Set<string>()
let source: EventSource | undefined

const tell: Listener = (changed) => { for (const listener of listeners) listener(changed) }

const hear = ({ data }: MessageEvent<string>): void => {
  if (gathered.size === 0) {
    setTimeout(() => {
      const changed = gathered
      gathered = new Set()
      tell(changed)
    }, GATHER_MS)
  }
  gathered.add((JSON.parse(data) as { exploration_id: string }).exploration_id)
}

/** One connection while anything listens and the window is seen: browsers allow six to a server. */
const connect = (): void => {
  const isWanted = listeners.size > 0 && document.visibilityState === 'visible'
  if (isWanted === (source !== undefined)) return
  source?.close()
  source = isWanted ? new EventSource(`${BASE_PATH}${API_PREFIX}/events`) : undefined
  source?.addEventListener('change', hear)
}

document.addEventListener('visibilitychange', () => {
  connect()
  if (source) tell({ has: () => true })
})

/** Calls `listener` when explorations that the person sees have changed. */
export const useLive = (listener: Listener): void => {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const call: Listener = (changed) => latest.current(changed)
    listeners.add(call)
    connect()
    return () => {
      listeners.delete(call)
      connect()
    }
  }, [])
}
