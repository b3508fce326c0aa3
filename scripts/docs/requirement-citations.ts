/** Which tests cite each requirement. */
import { readdirSync, readFileSync } from 'node:fs'

const TESTS = new URL('../../test/', import.meta.url)

/** Returns, for each id of a requirement, the paths in test/ of the files that call `meets` with it. */
export const requirementCitations = (): Map<string, Set<string>> => {
  const citations = new Map<string, Set<string>>()
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .sort()
  for (const file of files) {
    for (const [, ids = ''] of readFileSync(new URL(file, TESTS), 'utf8').matchAll(/\bmeets\(([^)]*)\)/g)) {
      for (const [, id = ''] of ids.matchAll(/'([\w-]+)'/g)) citations.set(id, (citations.get(id) ?? new Set()).add(file))
    }
  }
  return citations
}
