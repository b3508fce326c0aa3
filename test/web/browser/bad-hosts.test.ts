/** Hosts that answer nothing, late or wrong: the view in the chat stays readable, and takes no word of strangers. */
import t from 'tap'
import { readPlanDocument } from '../../../src/planning/views/plan-view.js'
import { browser, noBrowser } from '../../helpers/browser.js'
import { openHost, toolNotifications, usualHost, type ChatHost, type HostOptions } from '../../helpers/chat-host.js'
import { syntheticPlan } from '../../helpers/plans.js'

const ID = 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'
const plan = { version: 1, compilation_state: 'compiled', updated_at: '2026-10-01T08:00:00.000Z', ...syntheticPlan({ groups: 2, items: 5 }) }
const PAGE = { content: [], structuredContent: { ...plan, total_items: 5, referenced_items: [] } }
const STATE = {
  content: [{ type: 'text', text: 'A few lines.' }],
  structuredContent: {
    exploration_id: ID,
    version: 1,
    compilation_state: 'compiled',
    counts: { items: { total: 5, todo: 3, in_progress: 1, done: 1, blocked: 0 } },
    ready: [{ id: 'i1', title: 'Write the <b>first</b> test' }],
    blocking: [{ id: 'i1', title: 'Write the first test', blocks: 2 }]
  }
}
const GARBAGE: unknown[] = [
  null, 1, 'text', [], [[]], {}, { jsonrpc: '2.0' }, { jsonrpc: '1.0', id: 1, result: {} }, { jsonrpc: '2.0', id: {}, result: {} },
  { jsonrpc: '2.0', id: 99, result: {} }, { jsonrpc: '2.0', id: '1', result: { hostContext: { theme: 'dark' } } },
  { jsonrpc: '2.0', method: 7 }, { jsonrpc: '2.0', method: 'constructor', params: 'x' }, { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { exploration_id: 5 } } },
  { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { structuredContent: [], content: 'x' } },
  { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { theme: 3, styles: { variables: [], css: 1 }, containerDimensions: 'x' } },
  { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { styles: { variables: { '--color-background-primary': 'banana', '--color-text-primary': '#fff', '--font-sans': ';}' } } } }
]

t.test('hosts that behave badly', { skip: noBrowser }, async (t) => {
  const document = readPlanDocument() ?? ''
  const chromium = await browser(t)
  const never = (): Promise<never> => new Promise<never>(() => undefined)
  const answers = async (name: string): Promise<object> => name === 'get_planning_full' ? PAGE : { content: [], structuredContent: { title: 'A title' } }
  const drawn = ({ view }: ChatHost) => view.locator('[data-rendered=plan] .plan-svg').waitFor()
  const open = (options: Partial<HostOptions> = {}): Promise<ChatHost> => openHost(chromium, {
    document, callTool: answers, initialize: usualHost(), then: toolNotifications(ID), ...options
  })

  await t.test('silent: it says so; late: the plan comes all the same', async (t) => {
    const host = await open({ initialize: undefined, clock: true })
    await host.view.getByText('Loading the plan').waitFor()
    await host.page.clock.fastForward(9000)
    await host.view.getByText(/The host of this view does not answer/).waitFor()
    await host.send({ id: 1, result: usualHost() })
    await drawn(host)
    t.equal(await host.view.getByText(/does not answer/).count(), 0)
    await host.send({ id: 1, result: usualHost({ theme: 'dark' }) })
    await host.close()
  })

  await t.test('it names no plan; then it does', async () => {
    const host = await open({ then: [], clock: true })
    await host.page.waitForFunction('wire.some(({ method }) => method === "ui/notifications/initialized")')
    await host.page.clock.fastForward(9000)
    await host.view.getByText(/has not said yet which plan to show/).waitFor()
    for (const message of toolNotifications(ID)) await host.send(message)
    await drawn(host)
    await host.close()
  })

  await t.test('it calls no tools, by its word, by silence, by an error: the few lines of the result are drawn', async (t) => {
    const then = toolNotifications(ID, STATE)
    const without = await open({ initialize: usualHost({}, { serverTools: undefined }), then })
    await without.view.getByText(/does not let the view load the whole plan/).waitFor()
    await without.view.getByText('1 of 5 items done').waitFor()
    await without.view.getByText('Write the <b>first</b> test').waitFor()
    t.equal((await without.sent()).filter(({ method }) => method === 'tools/call').length, 0)
    await without.close()

    const silent = await open({ then, callTool: never, clock: true })
    await silent.view.getByText('1 of 5 items done').waitFor()
    await silent.page.clock.fastForward(16_000)
    await silent.view.getByText(/takes long to load the plan/).waitFor()
    await silent.close()

    let calls = 0
    const failing = await open({
      then,
      callTool: async (name) => name === 'get_planning_full' && calls++ === 0
        ? { jsonrpcError: { code: -32000, message: 'The person <i>refused</i>.' } }
        : answers(name)
    })
    await failing.view.getByText(/The host did not load the plan: “The person <i>refused<\/i>.”/).waitFor()
    await failing.view.getByText('1 of 5 items done').waitFor()
    await failing.view.getByRole('button', { name: 'Try again' }).click()
    await drawn(failing)
    await failing.close()
  })

  await t.test('garbage before, between and after', async (t) => {
    const script = `addEventListener('load', () => { for (const one of ${JSON.stringify(GARBAGE)}) frame.postMessage(one, '*') })`
    const then = toolNotifications(ID, STATE)
    const host = await open({ then, script })
    await drawn(host)
    for (const message of GARBAGE) await host.page.evaluate(`frame.postMessage(${JSON.stringify(message)}, '*')`)
    await host.send({ id: 50, method: 'ping' })
    await host.page.waitForFunction('wire.some(({ id, result }) => id === 50 && result)')
    await drawn(host)
    const ink = await host.page.frames()[1]!.evaluate('getComputedStyle(document.querySelector(".plan")).color')
    t.not(ink, 'rgb(255, 255, 255)', 'half a palette is no palette')
    await host.close()
  })

  await t.test('answers that hold no plan, or half of one, or the same page for ever', async (t) => {
    const results: Array<[unknown, RegExp]> = [
      [{}, /holds no plan/], [{ items: 1, groups: [] }, /holds no plan/], ['x', /holds no plan/],
      [{ ...PAGE.structuredContent, next_cursor: 'again' }, /answered the same page twice/]
    ]
    for (const [structuredContent, said] of results) {
      const host = await open({ callTool: async () => ({ content: [], structuredContent }) })
      await host.view.getByText(said).waitFor()
      t.ok((await host.sent()).length < 20, 'it asks no further')
      await host.close()
    }
    const odd = {
      groups: [{ id: 'g' }, 3],
      items: [{ id: 'a', group_id: 'g', title: 'Alone', status: 'lost', order: 'x' }, null, {}],
      dependencies: [{}, { item_id: 'a', depends_on: 'nowhere', kind: 'blocks' }],
      gates: [{}],
      conflicts: [{ item_ids: 5 }],
      total_items: -1
    }
    const host = await open({ callTool: async () => ({ content: [], structuredContent: odd }) })
    await drawn(host)
    await host.view.getByRole('option', { name: /^Alone/ }).waitFor()
    await host.close()
  })

  await t.test('it takes the height of the empty frame for the height that the view has', async () => {
    const host = await open({ initialize: usualHost({ containerDimensions: { width: 728, height: 150 } }) })
    await drawn(host)
    await host.page.waitForFunction('element.offsetHeight > 300')
    await host.close()
  })

  await t.test('words of other windows count for nothing', async (t) => {
    const stranger = `
      const other = document.createElement('iframe')
      other.setAttribute('sandbox', 'allow-scripts')
      other.srcdoc = '<script>parent.frames[0].postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { exploration_id: "stranger" } } }, "*");' +
        'parent.frames[0].postMessage({ jsonrpc: "2.0", id: 1, result: {} }, "*"); parent.postMessage("spoken", "*")<' + '/script>'
      const spoken = new Promise((resolve) => addEventListener('message', ({ data }) => { if (data === 'spoken') resolve() }))
      element.addEventListener('load', () => document.body.append(other))`
    const host = await open({ initialize: undefined, then: [], script: stranger })
    await host.page.evaluate('spoken')
    t.equal((await host.sent()).filter(({ method }) => method === 'ui/notifications/initialized').length, 0, 'the stranger\'s answer is none')
    await host.send({ id: 1, result: usualHost() })
    for (const message of toolNotifications(ID)) await host.send(message)
    await drawn(host)
    const asked = (await host.sent()).filter(({ method }) => method === 'tools/call').map(({ params }) => (params as { arguments: { exploration_id: string } }).arguments.exploration_id)
    t.same([...new Set(asked)], [ID])
    await host.close()
  })
})
