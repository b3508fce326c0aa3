/** Resolves what a cell says of other issues: ids, titles, and titles with an address as Notion writes them. */
import type { TrackerIssue } from './tracker-plan.js'

/** ` (https://www.notion.so/…)`, or a path inside an unpacked export. */
const ADDRESS = / ?\((?:https?:\/\/|[^()]*(?:%20|\.md\b))[^()]*\)/

const MAX_COMMAS = 10

export const withoutAddress = (cell: string): string => cell.replaceAll(new RegExp(ADDRESS, 'g'), '')

/** The names in a cell; a comma may be part of a title. */
const namesIn = (cell: string, isKnown: (name: string) => boolean): string[] => {
  if (ADDRESS.test(cell)) return cell.split(new RegExp(`${ADDRESS.source}(?:,\\s*|$)`)).filter(Boolean)
  const names: string[] = []
  let open: string[] = []
  for (const part of cell.split(',')) {
    open.push(part)
    // The longest run of parts that is a title; what is none stays apart.
    const start = open.findIndex(
      (_, index) => index >= open.length - MAX_COMMAS && isKnown(open.slice(index).join(',').trim())
    )
    if (start === -1) continue
    names.push(...open.slice(0, start), open.slice(start).join(','))
    open = []
  }
  return [...names, ...open].map((name) => name.trim()).filter(Boolean)
}

/** An issue that may be named by `aliases`, and that `blocks` others. */
export type NamedIssue = TrackerIssue & { aliases: readonly string[], blocks: readonly string[] }

/** The issues with the ids of others where they name them by title or by `aliases`; `blocks` goes to those others. */
export const resolveReferences = (issues: readonly NamedIssue[]): TrackerIssue[] => {
  const keys = new Map<string, string>()
  for (const { id, title, aliases } of issues) {
    for (const name of [id, ...aliases, title]) {
      const key = name.trim().toLowerCase()
      if (key !== '' && !keys.has(key)) keys.set(key, id || title)
    }
  }
  const keyOf = (name: string): string => keys.get(name.trim().toLowerCase()) ?? name.trim()
  const keysIn = (cells: readonly string[]): string[] =>
    cells.flatMap((cell) => namesIn(cell, (name) => keys.has(name.toLowerCase()))).map(keyOf)
  const blockers = new Map<string, string[]>()
  for (const { id, title, blocks } of issues) {
    for (const other of keysIn(blocks)) blockers.set(other, [...(blockers.get(other) ?? []), id || title])
  }
  const byKey = new Map(issues.map((issue) => [issue.id || issue.title, issue]))
  return issues.map((issue) => {
    const parent = keysIn([issue.parent ?? ''])[0] ?? ''
    return {
      ...issue,
      parent,
      // Asana names the project of the parent only.
      project: issue.project || (byKey.get(parent)?.project ?? ''),
      blockedBy: [...keysIn(issue.blockedBy ?? []), ...(blockers.get(issue.id || issue.title) ?? [])],
      relatesTo: keysIn(issue.relatesTo ?? [])
    }
  })
}
