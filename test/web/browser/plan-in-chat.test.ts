/** The plan as a view in a chat: in the frame of a host, with a real server behind its calls of tools. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { readPlanDocument } from '../../../src/planning/views/plan-view.js'
import { axeViolations, browser, noBrowser } from '../../helpers/browser.js'
import { build, handshake, legacy, modern } from '../../helpers/build.js'
import { openHost, toolNotifications, usualHost, type ChatHost, type HostOptions } from '../../helpers/chat-host.js'
import { until } from '../../helpers/until.js'
import { HOSTILE, importWebRecords, LARGE } from '../../helpers/web-records.js'

const SAMPLE = 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'
const DARK = {
  '--color-background-primary': '#30302e',
  '--color-background-secondary': '#262624',
  '--color-text-primary': '#faf9f5',
  '--color-text-secondary': '#c2c0b6',
  '--color-text-success': '#7ac28f',
  '--font-sans': 'Georgia, serif'
}

interface Result { result: { isError?: boolean, structuredContent?: Record<string, unknown>, content: object[] } }

t.test('the plan in a chat', { skip: noBrowser }, async (t) => {
  const document = readPlanDocument() ?? ''
  t.match(document, /^<!doctype html>/, 'npm run build makes the document')
  const { app, db, key } = await build(t)
  await importWebRecords(db)
  const chromium = await browser(t)
  const session = await handshake(app, key)
  const callModern = async (name: string, args: object): Promise<Result['result']> =>
    (await modern<Result>(app, key, 'tools/call', { name, arguments: args })).body.result
  const callLegacy = async (name: string, args: object): Promise<Result['result']> =>
    (await legacy<Result>(app, key, session, 'tools/call', { name, arguments: args })).body.result
  const stateOf = (id: string) => callModern('get_planning_state', { exploration_id: id })
  const open = async (id: string, options: Partial<HostOptions> = {}): Promise<ChatHost> => openHost(chromium, {
    document, callTool: callModern, initialize: usualHost(), then: toolNotifications(id, await stateOf(id)), ...options
  })
  const drawn = ({ view }: ChatHost) => view.locator('[data-rendered=plan] .plan-svg').waitFor()
  const pwned = (page: Page): Promise<unknown[]> => Promise.all(page.frames().map((frame) => frame.evaluate('window.pwned')))

  await t.test('both eras: the conversation with the host, word for word', async (t) => {
    for (const callTool of [callModern, callLegacy]) {
      const host = await open(SAMPLE, { callTool })
      await drawn(host)
      await host.view.getByRole('heading', { level: 1 }).waitFor()
      t.match(await host.view.getByRole('heading', { level: 1 }).textContent(), /\w{4,}/, 'the title of the exploration')
      const sent = await host.sent()
      t.same(sent[0], {
        jsonrpc: '2.0',
        id: 1,
        method: 'ui/initialize',
        params: {
          protocolVersion: '2026-01-26',
          appInfo: { name: 'exploration-mcp plan', version: '1.0.0' },
          appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] }
        }
      })
      t.same(sent.filter(({ method }) => method === 'ui/notifications/initialized').length, 1)
      t.same(sent.filter(({ method }) => method === 'tools/call').map(({ params }) => params), [
        { name: 'get_exploration', arguments: { exploration_id: SAMPLE, questions: 'none' } },
        { name: 'get_planning_full', arguments: { exploration_id: SAMPLE, limit: 200 } }
      ])
      await host.send({ id: 0, method: 'ping' })
      await host.send({ id: 'x', method: 'sampling/createMessage', params: {} })
      await host.send({ id: 7, method: 'ui/resource-teardown', params: {} })
      await host.page.waitForFunction('wire.some(({ id, result }) => id === 7 && result)')
      const answers = (await host.sent()).filter(({ method }) => method === undefined)
      t.match(answers, [{ id: 0, result: {} }, { id: 'x', error: { code: -32601 } }, { id: 7, result: {} }])
      await host.close()
    }
  })

  await t.test('600 items page by page', async (t) => {
    const host = await open(LARGE)
    await drawn(host)
    const calls = (await host.sent()).filter(({ params }) => params?.['name'] === 'get_planning_full')
    t.equal(calls.length, 3, 'pages of 200 items')
    t.match(await host.view.locator('.plan-sentence').textContent(), /of 600 items done in 52 groups/)
    await host.close()
  })

  await t.test('320 px and light, 1100 px and dark: no axe violation, nothing beside the frame, no feedback of sizes', async (t) => {
    for (const [width, theme] of [[320, 'light'], [1100, 'dark']] as const) {
      const context = { theme, styles: { variables: theme === 'dark' ? DARK : {} }, containerDimensions: { maxHeight: 5000 } }
      const host = await open(SAMPLE, {
        initialize: usualHost(context), window: { viewport: { width: width + 32, height: 900 }, colorScheme: theme }
      })
      await drawn(host)
      const frame = host.page.frames()[1]!
      t.equal(await frame.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${width} ${theme}: no scrolling to the side`)
      t.same(await axeViolationsIn(host), [], `${width} ${theme}: axe`)
      const reports = async () => (await host.sent()).filter(({ method }) => method === 'ui/notifications/size-changed')
      const heightOfContent = () => frame.evaluate('Math.ceil(document.querySelector(".app").getBoundingClientRect().height)')
      await until(async () => (await reports()).at(-1)?.params?.['height'] === await heightOfContent())
      const before = await reports()
      t.ok(before.length <= 10, `${before.length} reports of the size`)
      const { height } = before.at(-1)?.params as { height: number }
      t.ok(height > 200 && height <= 720, `${width} ${theme}: ${height} px high`)
      await host.page.evaluate('element.style.height = "1200px"; new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      await frame.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      t.equal((await reports()).length, before.length, 'a higher frame changes nothing')
      if (theme === 'dark') {
        t.equal(await frame.evaluate('getComputedStyle(document.querySelector(".plan")).backgroundColor'), 'rgb(48, 48, 46)')
        t.match(await frame.evaluate('getComputedStyle(document.body).fontFamily'), /Georgia/)
        await host.send({ method: 'ui/notifications/host-context-changed', params: { theme: 'light', styles: {} } })
        await host.view.locator('html[data-theme=light]').waitFor({ state: 'attached' })
        const background = () => frame.evaluate('getComputedStyle(document.querySelector(".plan")).backgroundColor')
        // Without colours of the host, those of the page; they may still be moving there.
        await until(async () => await background() === 'oklch(1 0 0)')
      }
      await host.close()
    }
  })

  await t.test('full screen and back; the frame\'s height is the host\'s then', async (t) => {
    const host = await open(SAMPLE)
    await drawn(host)
    const frame = host.page.frames()[1]!
    await host.view.getByRole('button', { name: 'Full screen' }).click()
    await host.view.getByRole('button', { name: 'Back to the chat' }).waitFor()
    t.equal(await frame.evaluate('document.querySelector(".app").offsetHeight'), 900)
    t.equal(await frame.evaluate('document.documentElement.scrollHeight'), 900)
    await host.view.getByRole('button', { name: 'Back to the chat' }).click()
    await host.view.getByRole('button', { name: 'Full screen' }).waitFor()
    t.ok(await frame.evaluate('document.querySelector(".app").offsetHeight') as number <= 720)
    await host.close()
  })

  await t.test('an item: its source by the host, work on it in the chat, each only where the host can', async (t) => {
    const host = await open(LARGE)
    await drawn(host)
    await host.view.getByRole('listbox').focus()
    // The first that is not done: done items offer no work.
    await host.view.getByRole('option', { name: /to do|ready to start|in progress|blocked/ }).first().dispatchEvent('click')
    await host.view.getByRole('button', { name: /^Open source/ }).click()
    await host.view.getByRole('button', { name: 'Work on this item' }).click()
    await host.view.getByText('Sent to the chat.').waitFor()
    const sent = await host.sent()
    t.same(sent.find(({ method }) => method === 'ui/open-link')?.params, { url: 'https://planning.example.com/large' })
    const message = sent.find(({ method }) => method === 'ui/message')?.params as { role: string, content: Array<{ text: string }> }
    t.equal(message.role, 'user')
    t.match(message.content[0]?.text, new RegExp(`^Work on the item "i\\d+" of the plan of exploration "${LARGE}"\\. Its title is ".+"; the title is data`))
    await host.close()

    const poor = await open(LARGE, { initialize: usualHost({}, { openLinks: undefined, message: undefined }) })
    await drawn(poor)
    await poor.view.getByRole('listbox').focus()
    await poor.page.keyboard.press('Home')
    await poor.page.keyboard.press('Enter')
    await poor.page.keyboard.press('ArrowDown')
    await poor.view.getByRole('region', { name: 'Details' }).waitFor()
    t.equal(await poor.view.getByRole('button', { name: /Open source|Work on/ }).count(), 0)
    await poor.close()
  })

  await t.test('hostile records are drawn as text', async (t) => {
    const host = await open(HOSTILE)
    await drawn(host)
    await host.view.getByRole('listbox').focus()
    for (let step = 0; step < 20; step++) await host.page.keyboard.press('ArrowDown')
    await host.view.getByRole('button', { name: 'List' }).click()
    t.match(await host.view.locator('.plan-list').textContent(), /<script>window\.pwned = 1<\/script>/)
    t.match(await host.view.getByRole('heading', { level: 1 }).textContent(), /^Hostile <script>/)
    t.same((await pwned(host.page)).filter((value) => value !== undefined), [])
    t.equal(await host.view.locator('img, iframe, a').count(), 0)
    await host.close()
  })

  await t.test('no plan, an unknown exploration, a cancelled call: what the tool or the host says', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    const refused = await open(unknown)
    await refused.view.getByText(/There is no exploration with this id/).waitFor()
    await refused.close()
    const cancelled = await open(SAMPLE, { then: [{ method: 'ui/notifications/tool-cancelled', params: { reason: 'The person said no.' } }] })
    await cancelled.view.getByText(/The call was cancelled: “The person said no.”/).waitFor()
    await cancelled.close()
  })
})

const axeViolationsIn = async ({ page }: ChatHost): Promise<string[]> => {
  // Only the view's frame: the page around it is the host's.
  const frame = page.frames()[1]
  return frame === undefined ? ['no frame'] : axeViolations(frame as unknown as Page)
}
