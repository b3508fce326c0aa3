// What callers may make up: cursors, prefixes, names. Nothing of it is an error of the database.
import fc from 'fast-check'
import t from 'tap'
import { Refusal } from '../../src/lib/errors.js'
import { directory } from '../../src/db/people/sql-directory.js'
import type { Page, PageRequest } from '../../src/planning/store.js'
import { keywordSearch } from '../helpers/find-by-words.js'
import { sqlSearch } from '../../src/search/ranking/sql-search.js'
import { sqlStore } from '../../src/db/planning/sql-store.js'
import { database } from '../helpers/database.js'
import { explorationLine, importLines } from '../helpers/planning-data.js'
import { numbered } from '../helpers/planning.js'
import { anyText, runs } from '../helpers/fuzzing.js'

const at = '2026-01-01T00:00:00Z'
const workspace = (n: number, name: string) => ({ type: 'workspace', id: numbered(n), slug: `w${n}`, name, created_at: at })
const exploration = (n: number, updated: string) => explorationLine(numbered(1), `Number ${n}`, 'T', { id: numbered(n), updated_at: updated })

t.test('a store', async (t) => {
  const db = await database(t)
  const store = sqlStore(db, keywordSearch(sqlSearch(db)))
  const names = ['\u0001'.repeat(200), '\u0001'.repeat(199) + 'b', '\u{1F600}'.repeat(100)]
  const times = ['.123456789Z', '.1234Z', '.1231Z', '.123Z', '.122999Z', '.12Z', 'Z', '.999999Z'].map((rest) => `2026-01-01T00:00:00${rest}`)
  await importLines(db, [...names.map((name, n) => workspace(n + 1, name)), ...times.map((time, n) => exploration(n + 10, time))])
  const visible = names.map((_, n) => numbered(n + 1))

  await t.test('takes back every cursor that it made: of the longest names, of times within one millisecond', async (t) => {
    const idsOf = async (list: (page: PageRequest) => Promise<Page<{ id: string }>>): Promise<string[]> => {
      const ids: string[] = []
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = await list({ limit: 1, cursor })
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor
      }
      return ids.sort()
    }
    t.strictSame(await idsOf((page) => store.workspaces.list(visible, page)), visible)
    t.strictSame(await idsOf((page) => store.explorations.list(numbered(1), page)), times.map((_, n) => numbered(n + 10)))
  })

  await t.test('answers or refuses every cursor that someone else made', async () => {
    const part = fc.oneof(
      fc.constantFrom('1', '\0', '2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', at, numbered(1), '\ud800'),
      anyText({ maxLength: 20 }), fc.double(), fc.constant(null))
    const lists = {
      workspaces: (cursor: string) => store.workspaces.list(visible, { limit: 2, cursor }),
      explorations: (cursor: string) => store.explorations.list(numbered(1), { limit: 2, cursor }),
      'find:LPJNul-wow4m': (cursor: string) => store.search.find({ query: 'hello', visible, limit: 2, cursor })
    }
    const position = fc.oneof(fc.tuple(part, fc.constant(numbered(1))), fc.array(part, { maxLength: 3 }))
    const forged = fc.tuple(fc.constantFrom(...Object.entries(lists)), position)
    await fc.assert(fc.asyncProperty(forged, async ([[tag, list], position]) => {
      const page = await list(Buffer.from(JSON.stringify([tag, ...position])).toString('base64url')).catch((error: unknown) => error)
      return page instanceof Refusal || (page !== null && typeof page === 'object' && 'items' in page)
    }), runs(300))
  })

  await t.test('finds nothing by text that no record can have', async (t) => {
    for (const text of ['\0', 'd\0', '\ud800', 'Number\0', '%', '_']) {
      t.strictSame(await store.workspaces.complete(visible, text, 9), [])
      t.strictSame(await store.explorations.complete(visible, text, 9), [])
      t.strictSame(await store.packages.complete(visible, text, 9), [])
      t.equal(await store.packages.get(numbered(10), text), undefined)
      await t.rejects(directory(db).findUser(text), Refusal)
      await t.rejects(directory(db).removeMember({ user: text, workspace: text }), Refusal)
    }
  })
})
