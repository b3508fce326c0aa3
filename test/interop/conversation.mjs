// What every client has to be able to do, whichever it is: written over the few verbs that clients share.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The names of the product's tools, from the generated snapshot. */
export const TOOLS = JSON.parse(readFileSync(new URL('../planning/tools/tools-list.json', import.meta.url), 'utf8')).map(({ name }) => name)
/** The names of its skills. */
export const SKILLS = ['bring-planning-in', 'review-a-plan', 'work-through-a-plan']

export const converse = async (client) => {
  const tools = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name), TOOLS)

  const call = async (name, args = {}, options = undefined) => {
    const result = await client.callTool(name, args, options)
    assert.ok(!result.isError, `${name}: ${result.content?.[0]?.text}`)
    return result.structuredContent
  }
  await call('ping')
  const { workspaces } = await call('list_workspaces')
  assert.equal(workspaces.length, 3)
  const steps = []
  const { explorations } = await call('find_explorations', { query: 'give a customer part of the money back' }, { onprogress: (step) => steps.push(step) })
  assert.ok(explorations.length > 0)
  assert.ok(steps.length > 0, 'progress is heard')
  const all = []
  for (const { id } of workspaces) {
    const { contents } = await client.readResource(`service://workspace/${id}/explorations`)
    all.push(...JSON.parse(contents[0].text).explorations)
  }
  const planned = []
  for (const { id, artifact_types: types } of all) {
    await call('get_exploration', { exploration_id: id })
    for (const type of types) {
      assert.ok((await call('get_requirement_package', { exploration_id: id, artifact_type: type })).markdown.length > 0)
      await client.readResource(`service://exploration/${id}/artifact/${type}`)
    }
    const state = await client.callTool('get_planning_state', { exploration_id: id })
    if (!state.isError && ['compiled', 'stale'].includes(state.structuredContent.compilation_state)) planned.push(id)
    await call('get_recommendations', { exploration_id: id })
    await client.readResource(`service://exploration/${id}`)
  }
  assert.ok(planned.length > 0)
  for (const id of planned) assert.ok((await call('get_planning_full', { exploration_id: id })).items.length > 0)
  assert.equal((await client.callTool('get_exploration', { exploration_id: 'nothing' })).isError, true)

  const resources = await client.listResources()
  for (const { uri } of resources) assert.ok((await client.readResource(uri)).contents.length > 0)
  assert.equal((await client.listResourceTemplates()).length, 3)
  const values = await client.complete('service://workspace/{workspaceId}/explorations', 'workspaceId', '')
  assert.equal(values.length, 3)

  const controller = new AbortController()
  const cancelled = client.callTool('find_explorations', { query: 'anything at all' }, { signal: controller.signal })
  controller.abort()
  await assert.rejects(cancelled)
  await call('ping')
}
