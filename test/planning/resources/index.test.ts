import t from 'tap'
import { Fault } from '../../../src/lib/errors.js'
import { resources } from '../../../src/planning/resources/index.js'
import type { PlanningResource } from '../../../src/planning/tools/planning-tool.js'
import { call, idOf, numbered, of, planning, sample, use, workspaceId } from '../../helpers/planning.js'
import { meets } from '../../conformance/requirements.js'

const [workspaces, workspaceExplorations, exploration, artifact] = resources('plan') as [PlanningResource, PlanningResource, PlanningResource, PlanningResource]
const store = await planning(t)
const NOWHERE = '00000000-0000-4000-8000-000000000000'
const data = async (resource: PlanningResource, variables: Record<string, string>, context = call(store)) => {
  const [found] = [await resource.read(variables, context)].flat()
  t.equal(found?.mimeType, 'application/json')
  return { ...JSON.parse(found!.text!), lastModified: found!.lastModified }
}

t.test('four templates under the configured scheme', async (t) => {
  t.same(resources('plan').map(({ template, mimeType }) => [template, mimeType]), [
    ['plan://workspaces', 'application/json'],
    ['plan://workspace/{workspaceId}/explorations', 'application/json'],
    ['plan://exploration/{explorationId}', 'application/json'],
    ['plan://exploration/{explorationId}/artifact/{artifactType}', 'text/markdown']
  ])
})

t.test('workspaces: what list_workspaces says', async (t) => {
  const { data: told } = await use('list_workspaces', {}, call(store))
  t.same(await data(workspaces, {}), {
    workspaces: told.workspaces, total: 3, lastModified: '2025-09-01T08:10:00.000Z'
  })
  t.same((await data(workspaces, {}, call(store, [workspaceId('kiln')]))).workspaces.length, 1)
  t.same(await data(workspaces, {}, call(store, [])), { workspaces: [], total: 0, lastModified: undefined })
})

t.test('explorations of a workspace, newest first', async (t) => {
  const found = await data(workspaceExplorations, { workspaceId: workspaceId('kiln') })
  t.match(found, { workspace: { slug: 'kiln' }, total: 3, lastModified: '2026-07-12T12:25:00.000Z' })
  t.equal(found.explorations[0].title, 'Quarantine for flaky tests')
  t.equal(found.explorations.length, 4, 'with the archived one, which the total does not count')
  t.notOk('truncated' in found)
})

t.test('more explorations than one resource holds are bounded, and it says so', async (t) => {
  let read = 0
  const list = async (_workspace: string, { limit }: { limit: number }) => {
    const items = Array.from({ length: limit }, () => ({ id: numbered(read++), updated_at: '2026-01-01T00:00:00.000Z' }))
    return { items, next_cursor: String(read) } as never
  }
  const endless = call({ ...store, explorations: { ...store.explorations, list } })
  const found = await data(workspaceExplorations, { workspaceId: workspaceId('kiln') }, endless)
  t.match(found, { truncated: true, total: 3 })
  t.equal(new Set(found.explorations.map(({ id }: { id: string }) => id)).size, 1000)
})

t.test('an exploration: what get_exploration says, with its approved recommendations', async (t) => {
  const { data: { question_counts: _, ...told } } = await use('get_exploration', { exploration_id: idOf('Pay in') }, call(store))
  const { recommendations, lastModified, ...found } = await data(exploration, { explorationId: idOf('Pay in') })
  t.same(found, told)
  t.equal(recommendations.length, 2)
  t.equal(lastModified, '2026-06-18T14:40:00.000Z')
})

t.test('an artifact is its markdown', async (t) => {
  const { data: told } = await use('get_requirement_package', { exploration_id: idOf('Pay in'), artifact_type: 'code' }, call(store))
  t.same(await artifact.read({ explorationId: idOf('Pay in'), artifactType: 'code' }, call(store)),
    { mimeType: 'text/markdown', text: told.markdown, lastModified: '2026-06-18T14:30:00.000Z' })
})

t.test('unknown is not there; what belongs to others is refused, and noted', async (t) => {
  for (const id of [NOWHERE, 'x', '', '\0']) {
    t.equal(await exploration.read({ explorationId: id }, call(store)), undefined)
    t.equal(await artifact.read({ explorationId: id, artifactType: 'design' }, call(store)), undefined)
    await t.rejects(workspaceExplorations.read({ workspaceId: id }, call(store)), {
      name: 'Fault', message: /cannot see that workspace/
    })
  }
  for (const type of ['tests', 'De sign', 'de\0sign']) t.equal(await artifact.read({ explorationId: idOf('Pay in'), artifactType: type }, call(store)), undefined)
  const asking = call(store, [workspaceId('kiln')])
  const error = await workspaceExplorations.read({ workspaceId: workspaceId('tillpoint') }, asking).catch((error: unknown) => error)
  t.type(error, Fault)
  t.match(error, { kind: 'forbidden', data: { hint: /list_workspaces/ } })
  t.equal(asking.noted['workspace_id'], workspaceId('tillpoint'))
})

t.test('the list names each visible workspace\'s explorations, by pages', async (t) => {
  const { entries, next } = await workspaceExplorations.list!(call(store, [workspaceId('kiln')]), undefined)
  t.match(entries, [{
    uri: `plan://workspace/${workspaceId('kiln')}/explorations`,
    name: 'kiln-explorations',
    title: 'Explorations of Kiln Build Platform'
  }])
  t.notOk(next)
  const many = Array.from({ length: 60 }, (_, i) => ({
    ...of(sample, 'workspace')[0]!, id: numbered(i), slug: `w${i}`, name: `W${i}`
  }))
  const context = call(await planning(t, many), many.map(({ id }) => id))
  const first = await workspaceExplorations.list!(context, undefined)
  const second = await workspaceExplorations.list!(context, first.next)
  t.equal(new Set([...first.entries, ...second.entries].map(({ uri }) => uri)).size, 60)
  t.notOk(second.next)
})

t.test('completion: ids by id, slug or title, types by what is known, nothing of others', async (t) => {
  meets('completion-access')
  const only = call(store, [workspaceId('harbour-clinic')])
  t.same(await workspaceExplorations.complete!('workspaceId', 'KIL', {}, call(store)), [workspaceId('kiln')])
  t.same(await workspaceExplorations.complete!('workspaceId', '', {}, only), [workspaceId('harbour-clinic')])
  t.same(await exploration.complete!('explorationId', 'quar', {}, call(store)), [idOf('Quarantine')])
  t.same(await exploration.complete!('explorationId', 'quar', {}, only), [])
  t.same(await artifact.complete!('explorationId', idOf('Quarantine').slice(0, 8), {}, call(store)), [idOf('Quarantine')])
  t.same(await artifact.complete!('artifactType', '', {}, call(store)), ['code', 'design'])
  t.same(await artifact.complete!('artifactType', '', { explorationId: idOf('Video visits') }, call(store)), ['design'])
  t.same(await artifact.complete!('artifactType', 'c', { explorationId: idOf('Video visits') }, call(store)), [])
  t.same(await artifact.complete!('artifactType', '', { explorationId: idOf('Quarantine') }, only), [], 'not even that it exists')
  t.same(await artifact.complete!('artifactType', '', { explorationId: 'x' }, call(store)), [])
  for (const resource of [workspaceExplorations, exploration, artifact]) {
    t.same(await resource.complete!('explorationId', 'a\0', {}, call(store)), [])
    t.same(await resource.complete!('other', '', {}, call(store)), [])
  }
})
