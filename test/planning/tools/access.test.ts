import t from 'tap'
import { Fault, Refusal } from '../../../src/lib/errors.js'
import { tools } from '../../../src/planning/tools/index.js'
import { call, finish, idOf, planning, use, workspaceId } from '../../helpers/planning.js'

const store = await planning(t)
const NOWHERE = '00000000-0000-4000-8000-000000000000'
const perExploration = tools.filter(({ input, scope }) => scope === 'read' && JSON.stringify(input).includes('exploration_id')).map(({ name }) => name)
const args = (name: string, id: string) => ({
  exploration_id: id, ...(name === 'get_requirement_package' && { artifact_type: 'design' })
})
const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined, (error: unknown) => error)

t.test('an exploration of others is refused as a whole, with the remedy, before anything is said, and noted', async (t) => {
  t.equal(perExploration.length, 5)
  for (const name of perExploration) {
    const foreign = call(store, [workspaceId('harbour-clinic')])
    const error = await refusal(use(name, args(name, idOf('Pay in instalments')), foreign))
    t.type(error, Fault, name)
    t.match(error, { kind: 'forbidden', message: /can add a member/, data: { hint: /list_workspaces.*membership.*credential/ } })
    t.same(foreign.noted, { exploration_id: idOf('Pay in instalments'), workspace_id: workspaceId('tillpoint') })
  }
})

t.test('an unknown exploration, and what is no id at all, is a refusal that says what to do', async (t) => {
  for (const name of perExploration) {
    for (const id of [NOWHERE, '', 'design', '\0', "' or 1=1 --", 'x'.repeat(10_000)]) {
      const error = await refusal(use(name, args(name, id), call(store)))
      t.type(error, Refusal, `${name} ${id.slice(0, 20)}`)
      t.match(error, { reason: 'not_found', message: /find_explorations/ })
    }
  }
})

t.test('ids are taken in any case', async (t) => {
  const { data } = await use('get_exploration', { exploration_id: idOf('Pay in').toUpperCase() }, call(store))
  t.equal(data.id, idOf('Pay in'))
  const found = await use<{ explorations: object[] }>('find_explorations', { query: 'flaky', workspace_id: workspaceId('kiln').toUpperCase() }, call(store))
  t.match(found.data.explorations[0], { id: idOf('Quarantine') })
})

t.test('a workspace of others and an unknown one are refused alike, before the first step', async (t) => {
  const find = tools.find(({ name }) => name === 'find_explorations')!
  const answers = await Promise.all([workspaceId('kiln'), NOWHERE, 'kiln', ''].map(async (id) => {
    const work = find.run({ query: 'x', limit: 1, workspace_id: id } as never, call(store, [workspaceId('tillpoint')]))
    return refusal(finish(work))
  }))
  for (const answer of answers) {
    t.type(answer, Fault)
    t.match(answer, { kind: 'forbidden', message: (answers[0] as Fault).message, data: (answers[0] as Fault).data })
  }
})
