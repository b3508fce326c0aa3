/** Filters that stand in the address, so that a link leads to what is seen, and back and reload keep it. */
import { useLocation } from 'preact-iso'
import { useCallback, useEffect, useState } from 'preact/hooks'

// Browsers refuse to change the address a hundred times in a row, as a key that is held down would.
const REST_MS = 180

interface QueryState<Name extends string> {
  /** What fields show; '' where there is none. */
  values: Readonly<Record<Name, string>>
  /** What the address has: it follows `values` when they have rested. For what asks the server while someone types. */
  settled: Readonly<Record<Name, string>>
  /** Changes some of them; '' takes one out. `push` makes a step that *Back* returns from. */
  set: (changes: Partial<Record<Name, string>>, options?: { push?: boolean }) => void
  /** Binds a control to one of them. */
  bind: (name: Name) => { value: string, onInput: (value: string) => void }
  any: boolean
}

/** Reads and writes the parameters `names` of the address; others stay as they are. */
export const useQueryState = <Name extends string>(names: readonly Name[]): QueryState<Name> => {
  const { path, query, route } = useLocation()
  const [held, setHeld] = useState<{ path: string, changes: Partial<Record<Name, string>> }>()
  // What has not rested yet belongs to its page.
  const waiting = held?.path === path ? held.changes : undefined
  const read = (changes: Partial<Record<Name, string>> = {}): Record<Name, string> =>
    Object.fromEntries(names.map((name) => [name, changes[name] ?? query[name] ?? ''])) as Record<Name, string>
  const values = read(waiting)

  const write = useCallback((changes: Partial<Record<Name, string>>, push: boolean): void => {
    // The address of now: a change may come before the last one was drawn.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries<string | undefined>(changes)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    const search = next.toString()
    setHeld(undefined)
    route(search === '' ? path : `${path}?${search}`, !push)
  }, [path, route])
  useEffect(() => {
    if (waiting === undefined) return undefined
    const timer = setTimeout(() => write(waiting, false), REST_MS)
    return () => clearTimeout(timer)
  }, [waiting, write])
  const set = useCallback((changes: Partial<Record<Name, string>>, { push = false }: { push?: boolean } = {}): void => {
    if (push) write({ ...waiting, ...changes }, true)
    else setHeld((before) => ({ path, changes: { ...before?.path === path && before.changes, ...changes } }))
  }, [path, waiting, write])
  const bind = (name: Name) =>
    ({ value: values[name], onInput: (value: string) => set({ [name]: value } as Partial<Record<Name, string>>) })
  return { values, settled: read(), set, bind, any: names.some((name) => values[name] !== '') }
}
