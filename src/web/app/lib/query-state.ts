/** Filters that stand in the address, so that a link leads to what is seen, and back and reload keep it. */
import { useLocation } from 'preact-iso'
import { useCallback } from 'preact/hooks'

export interface QueryState<Name extends string> {
  /** '' where the address has none. */
  values: Readonly<Record<Name, string>>
  /** Changes some of them; '' takes one out of the address. `push` makes a step that *Back* returns from. */
  set: (changes: Partial<Record<Name, string>>, options?: { push?: boolean }) => void
  /** Whether any of them is set. */
  any: boolean
}

/** Reads and writes the parameters `names` of the address; others stay as they are. */
export const useQueryState = <Name extends string>(names: readonly Name[]): QueryState<Name> => {
  const { path, query, route } = useLocation()
  const values = Object.fromEntries(names.map((name) => [name, query[name] ?? ''])) as Record<Name, string>
  const set = useCallback((changes: Partial<Record<Name, string>>, { push = false }: { push?: boolean } = {}): void => {
    // The address of now: a change may come before the last one was drawn.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries<string | undefined>(changes)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    const search = next.toString()
    route(search === '' ? path : `${path}?${search}`, !push)
  }, [path, route])
  return { values, set, any: names.some((name) => values[name] !== '') }
}
