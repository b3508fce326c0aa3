/** Tools that come and go while a server runs. */
import type { Principal } from '../../lib/principal.js'
import type { Tool } from './tool.js'

/** Tools that may be added and removed after the plugin was registered. Clients that listen are notified. */
export interface ToolSet<Services = unknown, P extends Principal = Principal>
  extends Iterable<Tool<never, Services, P>> {
  /** @throws {Error} for a name that is there already, or a schema that is invalid; then none is added */
  add (...tools: ReadonlyArray<Tool<never, Services, P>>): void
  /** Removes the tools of these names; calls that run go on. Names of no tool are ignored. */
  remove (...names: readonly string[]): void
  /**
   * Has a server follow the changes; the plugin calls it. `prepare` throws for tools that it cannot serve, and returns
   * what makes them its own. Returns the function that ends it.
   * @internal
   */
  follow (prepare: (tools: ReadonlyArray<Tool<never, Services, P>>) => () => void): () => void
}

/** Creates a set for the option `tools`. It may serve several plugins. */
export const toolSet = <Services = unknown, P extends Principal = Principal>(
  initial: ReadonlyArray<Tool<never, Services, P>> = []
): ToolSet<Services, P> => {
  let tools = requireDistinct(initial)
  const followers = new Set<(tools: ReadonlyArray<Tool<never, Services, P>>) => () => void>()

  const change = (changed: ReadonlyArray<Tool<never, Services, P>>): void => {
    const commits = [...followers].map((prepare) => prepare(changed))
    tools = changed
    for (const commit of commits) commit()
  }

  return {
    [Symbol.iterator]: () => tools[Symbol.iterator](),
    add: (...added) => { change(requireDistinct([...tools, ...added])) },
    remove (...names) {
      const left = tools.filter(({ name }) => !names.includes(name))
      if (left.length < tools.length) change(left)
    },
    follow (prepare) {
      followers.add(prepare)
      return () => { followers.delete(prepare) }
    }
  }
}

const requireDistinct = <T extends { name: string }>(tools: readonly T[]): readonly T[] => {
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) throw new Error(`There are two tools of the name "${name}".`)
    names.add(name)
  }
  return tools
}

export const isToolSet = <T extends object>(tools: Iterable<T> | undefined): tools is ToolSet<never> & Iterable<T> =>
  tools !== undefined && 'follow' in tools
