/** Filters that stand in the address, so that a link leads to what is seen, and back and reload keep it. */
import { useLocation } from 'preact-iso'
import { useCallback, useEffect, useState } from 'preact/hooks'

// Browsers refuse to change the address a hundred times in a row, as a key that is held down would.
const REST_MS = 180

type Choices = Readonly<Record<string, ReadonlyArray<{ value: string }>>>
type Values<All extends Choices> =
  { [Name in keyof All]: All[Name] extends readonly [] ? string : All[Name][number]['value'] }
type Changes<All extends Choices> = Partial<Record<keyof All, string>>

/**
 * Reads and writes parameters of the address; others stay as they are. Each has the choices that there are, the usual
 * one first, which stands for a value that is none of them and not in the address; without choices it is any text.
 */
export const useQueryState = <const All extends Choices>(choices: All) => {
  const { path, query, route } = useLocation()
  const [held, setHeld] = useState<{ path: string, changes: Changes<All> }>()
  // What has not rested yet belongs to its page.
  const waiting = held?.path === path ? held.changes : undefined
  const read = (changes: Changes<All> = {}): Values<All> =>
    Object.fromEntries(Object.entries(choices).map(([name, options]) => {
      const value = changes[name] ?? query[name] ?? ''
      const isText = options.length === 0
      return [name, isText || options.some((option) => option.value === value) ? value : usualOf(choices, name)]
    })) as Values<All>
  const values = read(waiting)

  const write = useCallback((changes: Changes<All>, push: boolean): void => {
    // The address of now: a change may come before the last one was drawn.
    const next = new URLSearchParams(location.search)
    for (const [name, value = ''] of Object.entries<string | undefined>(changes)) {
      if (value === '' || value === usualOf(choices, name)) next.delete(name)
      else next.set(name, value)
    }
    const search = next.toString()
    // On a busy machine a further letter may have come, which still has to rest.
    setHeld((now) => push || now?.changes === changes ? undefined : now)
    route(search === '' ? path : `${path}?${search}`, !push)
  }, [path, route])
  useEffect(() => {
    if (waiting === undefined) return undefined
    const timer = setTimeout(() => write(waiting, false), REST_MS)
    return () => clearTimeout(timer)
  }, [waiting, write])
  /** Changes some of them; '' takes one out. `push` makes a step that *Back* returns from. */
  const set = useCallback((changes: Changes<All>, { push = false }: { push?: boolean } = {}): void => {
    if (push) write({ ...waiting, ...changes }, true)
    else setHeld((before) => ({ path, changes: { ...before?.path === path && before.changes, ...changes } }))
  }, [path, waiting, write])
  const names = Object.keys(choices)
  return {
    /** What fields show. */
    values,
    /** What the address has, once `values` have rested: for what asks the server while someone types. */
    settled: read(),
    set,
    clear: () => set(Object.fromEntries(names.map((name) => [name, ''])) as Changes<All>),
    bind: <Name extends keyof All>(name: Name) =>
      ({ value: values[name], onInput: (value: string) => set({ [name]: value } as Changes<All>) }),
    any: names.some((name) => values[name] !== usualOf(choices, name))
  }
}

const usualOf = (choices: Choices, name: string): string => choices[name]?.[0]?.value ?? ''
