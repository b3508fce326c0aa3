/** What a page loads: it is shown again at once when the person comes back, and loaded anew behind it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { messageOf, RequestError } from './problem.js'
import { API_PREFIX, requestJson } from './request.js'
import { type Answer, type CallInput, type OperationName, pathOf } from './call.js'

const MAX_CACHED = 100
const cache = new Map<string, unknown>()
const changeListeners = new Set<(prefix: string) => void>()

/** Loads anew whatever begins with one of these paths below the prefix: `/keys`. Call it after a change. */
export const invalidate = (...prefixes: readonly string[]): void => {
  for (const prefix of prefixes) for (const listener of changeListeners) listener(prefix)
}

export const clearCache = (): void => cache.clear()

const storeInCache = (key: string, value: unknown): void => {
  cache.delete(key)
  cache.set(key, value)
  const oldest = cache.keys().next()
  if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value)
}

interface LoadedResource<Value> {
  /** Undefined until it was loaded once. */
  value: Value | undefined
  error: string | undefined
  pending: boolean
  reload: () => void
  /** `reload` for a button; undefined when the last attempt failed for good. */
  retry: (() => void) | undefined
  /** Changes what is shown until the next load, as after an action whose answer says it. */
  update: (change: (value: Value) => Value) => void
}

interface ResourceState<Value> {
  path: string | null
  value: Value | undefined
  error: string | undefined
  isFinal: boolean
  pending: boolean
}

/** Loads what belongs to a path, or nothing for `null`; `shown` returns what is shown meanwhile. */
export const useLoaded = <Value>(
  path: string | null,
  request: (path: string, signal: AbortSignal, shown: () => Value | undefined) => Promise<Value>
): LoadedResource<Value> => {
  const [, draw] = useState(0)
  const state = useRef<ResourceState<Value> | undefined>(undefined)
  const running = useRef<AbortController | undefined>(undefined)
  if (state.current?.path !== path) {
    const cached = path === null ? undefined : cache.get(path)
    const value = cached as Value | undefined
    state.current = { path, value, error: undefined, isFinal: false, pending: path !== null }
  }

  const load = useCallback((): void => {
    if (path === null) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const show = (change: Partial<ResourceState<Value>>): void => {
      if (controller.signal.aborted || state.current?.path !== path) return
      state.current = { ...state.current, ...change }
      draw((count) => count + 1)
    }
    show({ pending: true })
    request(path, controller.signal, () => state.current?.value).then((value) => {
      if (controller.signal.aborted) return
      storeInCache(path, value)
      show({ value, error: undefined, isFinal: false, pending: false })
    }, (error: unknown) => show({
      error: messageOf(error), isFinal: error instanceof RequestError && error.isFinal, pending: false
    }))
  }, [path])

  useEffect(() => {
    load()
    const changed = (prefix: string): void => {
      if (path !== null && (path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}?`))) load()
    }
    changeListeners.add(changed)
    return () => {
      changeListeners.delete(changed)
      running.current?.abort()
    }
  }, [load])

  const update = useCallback((change: (value: Value) => Value): void => {
    if (state.current?.path !== path || state.current.value === undefined || path === null) return
    const value = change(state.current.value)
    storeInCache(path, value)
    state.current = { ...state.current, value }
    draw((count) => count + 1)
  }, [path])
  const { value, error, isFinal, pending } = state.current
  return { value, error, pending, reload: load, retry: isFinal ? undefined : load, update }
}

const get = <Value>(path: string, signal: AbortSignal): Promise<Value> => requestJson('GET', path, { signal })

/** Loads the JSON of a path. The caller states the type of the answer. */
export const useResource = <Value>(path: string | null): LoadedResource<Value> => useLoaded<Value>(path, get)

/** Loads the answer of an operation: `useOperation('GET /keys', { query: { owner: 'me' } })`; nothing for `null`. */
export const useOperation = <Name extends Extract<OperationName, `GET ${string}`>>(
  operation: Name, input: Pick<CallInput<Name>, 'params' | 'query'> | null = {}
): LoadedResource<NoInfer<Answer<Name>>> =>
    useResource<NoInfer<Answer<Name>>>(input === null ? null : pathOf(operation, input.params ?? {}, input.query ?? {}))

export const downloadUrl = (path: string): string => API_PREFIX + path
