/** What agents write on the sample data, so that something of each kind needs a person: for tests of the pages and for pictures. */
import type { WebServer } from './web.js'
import { useOn } from './writing.js'

export const INSTALMENTS = 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'
export const WAITING_LIST = 'af783243-3ba1-8ce3-afa0-9b6171a1eaf3'

const ITEM_TITLES = ['Refuse offers for tobacco', 'Log each consent', 'Alert on slow lenders', 'Mask birth dates in logs', 'Test two webhooks at once']

/**
 * Two agents of `server.wide`, who is an editor of two workspaces, in which agents may propose. With `everything` there are four proposals,
 * a finished item, a question, a failed gate, a lapsed lease and two that are held. `cursor` and `claude` are their keys.
 */
export const agentsWriting = async (server: Pick<WebServer, 'app' | 'db' | 'backend' | 'wide'>, everything = true) => {
  const { db, backend, wide } = server
  const use = useOn(server)
  await db.query("update workspaces set agents = 'propose' where slug <> 'kiln'")
  const keyOf = async (name: string): Promise<string> =>
    (await backend.credentials.createKey({ user: wide.id, name, scope: 'read_write' })).key
  const [cursor, claude] = [await keyOf('cursor on ada-mbp'), await keyOf('claude-code nightly')]
  const call = async (key: string, tool: string, args: object): Promise<Record<string, string>> => {
    const { isError, text, data } = await use(key, tool, { exploration_id: INSTALMENTS, ...args })
    if (isError) throw new Error(text)
    return data
  }
  /** Proposes an item more, by one of the keys. Returns the proposal's id. */
  const propose = async (number: number, key = cursor): Promise<string> => (await call(key, 'propose_change', {
    changes: [{ kind: 'add_item', group_id: 'g2', title: `${ITEM_TITLES[number % ITEM_TITLES.length]} (${number})` }], rationale: `Reason ${number}.`
  }))['proposal_id'] ?? ''
  if (!everything) return { cursor, claude, use, propose }

  await call(claude, 'claim_item', { exploration_id: WAITING_LIST, item_id: 'rules-page' })
  await db.query("update leases set since = now() - interval '3 hours', until = now() - interval '2 hours'")
  await backend.planChanges.tidy()
  await call(claude, 'claim_item', { exploration_id: WAITING_LIST, item_id: 'slot-lock', lease_minutes: 90 })
  await db.query("update plan_gates set status = 'failed' where exploration_id = $1 and id = 'gate2'", [WAITING_LIST])
  await call(claude, 'ask_question', {
    exploration_id: WAITING_LIST,
    item_id: 'chains',
    question: 'A patient of a chain declines after the next one accepted. Who keeps the slot?',
    options: ['The next one keeps it', 'The chain is undone', 'The desk decides'],
    blocks_item: true
  })
  await call(claude, 'propose_change', {
    exploration_id: WAITING_LIST,
    changes: [{ kind: 'resolve_conflict', conflict_id: 'c2', resolution: 'Chains lock slots in the order of their start, and give all of them back when the desk moves one.' }],
    rationale: 'Both sides lock in the same order then, so that neither waits for the other.',
    confidence: 'low'
  })
  await call(cursor, 'propose_change', {
    changes: [{ kind: 'edit_package', artifact_type: 'code', find: 'Time limit eight seconds. After it,', replace: 'Time limit six seconds, one retry after two. After both,' }],
    rationale: 'The lender answers in 2.1 s at the median; its own limit is six seconds.',
    confidence: 'medium'
  })
  await call(cursor, 'propose_change', {
    changes: [
      {
        kind: 'edit_item',
        item_id: 'refund-schedule',
        title: 'Shorten the schedule on partial and full refunds',
        description: 'From the last payment backwards; both sides see the new schedule within ten seconds. A full refund ends the plan.'
      },
      { kind: 'add_dependency', item_id: 'refund-schedule', depends_on: 'webhook-intake' },
      { kind: 'move_item', item_id: 'settlement-report', group_id: 'g4' }
    ],
    rationale: 'A full refund has no schedule left, and arrives by a webhook of the lender.'
  })
  await call(cursor, 'propose_change', {
    changes: [{
      kind: 'add_item',
      group_id: 'g3',
      title: 'Refund by card when the plan has ended',
      description: 'The lender takes no refunds after the last payment: the card that paid it gets the money.',
      acceptance: [{ text: 'A refund a day after the last payment arrives on the card', met: false }],
      after_item_id: 'refund-schedule'
    }],
    rationale: 'Found while implementing "Shorten the schedule on partial refunds": nothing covers refunds after the end.',
    confidence: 'high'
  })
  await call(cursor, 'claim_item', { item_id: 'decision-call', lease_minutes: 240 })
  await call(claude, 'claim_item', { item_id: 'consent-page' })
  await call(claude, 'report_progress', {
    item_id: 'consent-page',
    status: 'done',
    note: 'The page has its own address; a reload keeps basket and consent. The text version is recorded.',
    evidence: [
      { kind: 'pull_request', ref: 'https://git.example.com/tillpoint/checkout/pull/412', summary: 'Consent page with its own address' },
      { kind: 'commit', ref: '8c1f0a2d9be4', summary: 'Record the version of the text' },
      { kind: 'test_run', ref: 'checkout-e2e #1290: 214 passed' },
      { kind: 'url', ref: 'javascript:alert(1)', summary: 'A preview' }
    ]
  })
  return { cursor, claude, use, propose }
}
