/** Records for tests of the pages: a plan of 600 items, and texts that try to be something else than text. */
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import type { Database } from '../../src/db/sql/database.js'
import { importRecords } from '../../src/importers/records/import-records.js'
import { syntheticPlan } from './plans.js'

export const LARGE = '6006006a-0000-4000-8000-000000000600'
export const HOSTILE = '6006006a-0000-4000-8000-000000000bad'
const RECOMMENDATION = '6006006a-0000-4000-8000-0000000000ec'

/** Each is shown as it is; `window.pwned` must stay undefined. */
export const HOSTILE_TEXTS = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 2">',
  '[a link](javascript:window.pwned=3) <a href="javascript:window.pwned=4">click</a>',
  '"><svg onload=window.pwned=5>',
  'left \u202e thgir \u2066 to left',
  'invisible \u200b\u200d\u{e0041} letters',
  '👩‍💻 family 👨‍👩‍👧‍👦 flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️',
  'w'.repeat(400),
  `{{constructor.constructor("window.pwned=6")()}} ${'$'}{window.pwned=7}`,
  '</title></style></textarea><iframe srcdoc="<script>parent.pwned=8</script>">',
  'javascript:window.pwned=10',
  '&lt;script&gt;window.pwned=11&lt;/script&gt; &#x3c;b&#x3e;',
  "'-(window.pwned=12)-' \\u003cscript\\u003ewindow.pwned=13\\u003c/script\\u003e",
  '<math><a xlink:href="javascript:window.pwned=14">x</a></math><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><input name="q" autofocus onfocus="window.pwned=15"><button>Sign in</button></form>'
] as const

const TIME = '2026-10-01T08:00:00.000Z'

const explorationOf = (id: string, workspace: string, title: string, texts: readonly string[]): object => ({
  type: 'exploration',
  id,
  workspace_id: workspace,
  title,
  status: 'exploring',
  tags: texts.length === 0 ? ['large'] : ['<b>tag</b>', 'x'.repeat(60)],
  url: texts.length === 0 ? 'https://planning.example.com/large' : 'https://example.com/"><script>window.pwned=9</script>',
  summaries: texts.map((text) => ({ kind: 'summary', text })),
  questions: texts.map((text, at) => ({
    id: `q${at}`, section: text.slice(0, 100), question: text, status: at % 2 === 0 ? 'open' : 'answered', answer: at % 2 === 0 ? null : text
  })),
  created_at: TIME,
  updated_at: TIME
})

/** Imports both into the first workspace of the database. A browser computes most of the time of a test for the picture of a large plan. */
export const importWebRecords = async (db: Database, large = { groups: 52, items: 600 }): Promise<void> => {
  const [workspace] = await db.query<{ id: string }>("select id from workspaces where slug = 'tillpoint'")
  const workspaceId = workspace?.id ?? ''
  const plan = { type: 'execution_plan', version: 1, compilation_state: 'compiled', updated_at: TIME }
  const hostile = syntheticPlan({ groups: 3, items: 12 })
  const textAt = (at: number): string => HOSTILE_TEXTS[at % HOSTILE_TEXTS.length] ?? ''
  const records = [
    explorationOf(LARGE, workspaceId, 'The largest plan', []),
    { ...plan, exploration_id: LARGE, ...syntheticPlan(large) },
    explorationOf(HOSTILE, workspaceId, `Hostile ${HOSTILE_TEXTS[0]}`, HOSTILE_TEXTS),
    {
      ...plan,
      exploration_id: HOSTILE,
      ...hostile,
      groups: hostile.groups.map((group, at) => ({ ...group, title: textAt(at) })),
      items: hostile.items.map((item, at) => ({ ...item, title: textAt(at), description: textAt(at + 1) })),
      gates: hostile.gates.map((gate, at) => ({ ...gate, title: textAt(at + 4), criteria: [textAt(at)] })),
      conflicts: [{ id: 'c', item_ids: ['i0', 'i1'], description: textAt(3), severity: 'high', status: 'open' }]
    },
    {
      type: 'requirement_package',
      exploration_id: HOSTILE,
      artifact_type: 'design',
      title: textAt(1),
      version: 1,
      markdown: HOSTILE_TEXTS.map((text, at) => `## ${text}\n\n${text}\n\n- ${text}\n\n\`\`\`\n${at} ${text}\n\`\`\`\n\n| ${text.replaceAll('|', '')} | b |\n|---|---|\n| c | d |`).join('\n\n'),
      updated_at: TIME
    },
    {
      type: 'recommendation',
      id: RECOMMENDATION,
      exploration_id: HOSTILE,
      kind: 'strategy',
      status: 'approved',
      title: textAt(0),
      body: textAt(2),
      approved_at: TIME
    }
  ]
  await importRecords(db, Readable.from(records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`))), { spoolDir: tmpdir() })
}
