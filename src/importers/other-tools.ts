/** Recognizes the planning files of tools that no importer reads, so that a report can name them. */

/** Plans that lie in a repository and are not read: where they begin, and the tool that wrote them. */
export interface OtherPlans {
  /** A folder with `/` at its end, or a file; relative to the root. */
  path: string
  tool: string
}

/** The first capture group is the path to name. Files are looked for in the root and in usual folders only. */
const TRACES: ReadonlyArray<readonly [tool: string, pattern: RegExp]> = [
  ['beads', /^((?:.+\/)?\.beads\/)/],
  ['GSD', /^((?:.+\/)?\.planning\/phases\/)/],
  ['ccpm', /^((?:.+\/)?\.claude\/epics\/)/],
  ['Ralph', /^((?:scripts\/ralph\/|\.ralph\/)?prd\.json)$/]
]
const MAX_LISTED = 20

/** The plans of other tools among the paths, each place once, in the order of the tools. */
export const otherPlans = (paths: readonly string[]): OtherPlans[] => TRACES.flatMap(([tool, pattern]) => {
  const places = new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? []))
  return [...places].map((path) => ({ path, tool }))
}).slice(0, MAX_LISTED)
