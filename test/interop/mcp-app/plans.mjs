// Plans of any size with titles as teams write them, the same at each run.
const MILESTONES = ['Foundations', 'Return requests', 'Labels and carriers', 'Refunds', 'Warehouse', 'Notifications', 'Reporting', 'Roll-out', 'Fraud checks', 'Marketplace']
const WORK = [
  ['Draft', 'Review', 'Agree on'], ['Build', 'Extend', 'Split'], ['Test', 'Measure', 'Verify'], ['Document', 'Announce', 'Roll out']
]
const THINGS = [
  'the return portal', 'carrier label purchase', 'the refund ledger', 'partial refunds for split orders', 'the scan at goods-in', 'grading of returned goods',
  'mails about each step', 'the cost report by reason', 'limits for repeat returners', 'the API for marketplaces', 'restocking rules', 'the dashboard for support',
  'retry of failed label requests', 'the audit trail of refunds', 'currency conversion of refunds'
]
const TIME = '2026-11-20T08:00:00.000Z'

const statusOf = (at, items) => {
  if (at < items * 0.35) return 'done'
  if (at < items * 0.5) return at % 4 === 0 ? 'blocked' : at % 3 === 0 ? 'todo' : 'in_progress'
  return 'todo'
}

/** The first workspace of the sample data. */
const WORKSPACE = '9cbfccdf-b653-8b0c-a4c9-b4f479f9f87c'

/** The id of the exploration whose plan has so many items. */
export const planOf = (items) => `19190000-0000-4000-8000-${String(items).padStart(12, '0')}`

/** An exploration and its plan of so many items. */
export const planRecords = (items) => {
  const id = planOf(items)
  const groups = Math.min(52, Math.max(2, Math.round(items / (items > 100 ? 12 : 5))))
  const groupOf = (at) => Math.min(groups - 1, Math.floor(at * groups / items))
  const title = (at) => {
    const verbs = WORK[at % WORK.length]
    return `${verbs[Math.floor(at / 7) % verbs.length]} ${THINGS[(at * 7) % THINGS.length]}`
  }
  const first = (group) => Math.ceil(group * items / groups)
  return [
    {
      type: 'exploration',
      id,
      workspace_id: WORKSPACE,
      title: items < 10 ? 'Return labels by mail' : items < 100 ? 'Returns without phone calls' : 'Returns platform for all markets',
      status: 'ready',
      tags: ['returns'],
      summaries: [],
      questions: [],
      url: `https://planning.example.com/returns/${items}`,
      created_at: TIME,
      updated_at: TIME
    },
    {
      type: 'execution_plan',
      exploration_id: id,
      version: 3,
      compilation_state: 'compiled',
      updated_at: TIME,
      groups: Array.from({ length: groups }, (_, at) => {
        const round = Math.floor(at / MILESTONES.length)
        return { id: `g${at}`, title: MILESTONES[at % MILESTONES.length] + (round === 0 ? '' : `, step ${round + 1}`), order: at }
      }),
      items: Array.from({ length: items }, (_, at) => ({
        id: `returns-${at + 1}`,
        group_id: `g${groupOf(at)}`,
        title: title(at),
        description: `${title(at)}, so that a return needs no call. See https://planning.example.com/returns/${items}/${at + 1}.`,
        status: statusOf(at, items),
        order: at
      })),
      dependencies: Array.from({ length: items }, (_, at) => {
        const group = groupOf(at)
        if (group === 0) return []
        const before = first(group - 1) + at % Math.max(1, first(group) - first(group - 1))
        return at % 5 === 4 ? [] : [{ item_id: `returns-${at + 1}`, depends_on: `returns-${before + 1}`, kind: at % 11 === 10 ? 'relates' : 'blocks' }]
      }).flat(),
      gates: Array.from({ length: groups - 1 }, (_, at) => ({
        id: `gate${at}`, title: `${MILESTONES[at % MILESTONES.length]} accepted`, after_group_id: `g${at}`, criteria: ['Support has tried it with ten returns'], status: at < groups * 0.35 ? 'passed' : 'open'
      })).filter((_, at) => at % 2 === 0),
      conflicts: items < 10
        ? []
        : Array.from({ length: Math.min(20, Math.ceil(items / 20)) }, (_, at) => {
          const one = Math.floor(items * 0.4) + at * 3
          return { id: `c${at}`, item_ids: [`returns-${one + 1}`, `returns-${Math.min(items, one + 3)}`], description: 'Both change how a refund is booked.', severity: at % 2 === 0 ? 'high' : 'low', status: 'open' }
        })
    }
  ]
}
