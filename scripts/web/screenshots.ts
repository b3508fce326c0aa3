/**
 * Writes a picture of every page into docs/images: in both themes, at 1280 and at 375 pixels, with the same data and clock at each run.
 * `node scripts/test/run-compiled.mjs scripts/web/screenshots.ts developer sign-in` writes some.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { agentsWriting, INSTALMENTS } from '../../test/helpers/agents-writing.js'
import { form, request } from '../../test/helpers/oauth.js'
import { launchChromium, noBrowser, openWindow, signedInWindow } from '../../test/helpers/browser.js'
import { demoServer, NOW, type DemoServer } from './demo-server.js'

interface Shot {
  name: string
  path: (server: DemoServer) => Promise<string> | string
  /** What is done before the picture. */
  act?: (page: Page) => Promise<void>
  signedOut?: boolean
}

const exploration = async ({ db }: DemoServer): Promise<string> => {
  const rows = await db.query<{ exploration_id: string }>(
    'select exploration_id from plan_items group by exploration_id order by count(*) desc, exploration_id limit 1')
  return `/explorations/${rows[0]?.exploration_id ?? ''}`
}

/** What Claude Code asks. Its document is shipped, so that nothing is fetched where that is not possible. */
const CLAUDE_CODE = {
  client_id: 'https://claude.ai/oauth/claude-code-client-metadata', redirect_uri: 'http://localhost:52163/callback'
}

const consent = ({ url }: DemoServer): string =>
  `/oauth/mcp/authorize?${form(request({ ...CLAUDE_CODE, resource: `${url}/oauth/mcp` }).query)}`

/** What is later than the clock of the pictures would be new forever. */
const write = async (server: DemoServer): Promise<void> => {
  await server.db.query("update questions set status = 'answered', answer = 'Yes.' where status = 'open'")
  await agentsWriting(server)
  await server.db.query("update leases set since = $1::timestamptz - interval '3 hours', until = $1::timestamptz - interval '2 hours' where until < now()", [NOW])
}

let written: Promise<unknown> | undefined
/** The page, once agents have written something; it comes after all pages that show their keys. */
const afterAgents = (path: string) => async (server: DemoServer): Promise<string> => {
  await (written ??= write(server))
  return path
}

const SHOTS: readonly Shot[] = [
  { name: 'sign-in', path: () => '/sign-in', signedOut: true },
  { name: 'explorations', path: () => '/' },
  { name: 'exploration', path: exploration },
  { name: 'plan', path: async (server) => `${await exploration(server)}/plan` },
  { name: 'developer', path: () => '/integrations/developer' },
  {
    name: 'create-key',
    path: () => '/integrations/developer',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('claude-code@laptop')
    }
  },
  { name: 'connect', path: () => '/integrations/connect' },
  { name: 'connect-sign-in', path: () => '/integrations/connect?way=sign-in&agent=cursor' },
  { name: 'consent', path: consent },
  { name: 'connections', path: () => '/settings/connections' },
  { name: 'tokens', path: () => '/settings/tokens' },
  { name: 'device', path: () => '/device' },
  { name: 'account', path: () => '/settings/account' },
  { name: 'usage', path: () => '/usage' },
  { name: 'audit', path: () => '/audit' },
  { name: 'people', path: () => '/admin/people' },
  { name: 'workspaces', path: () => '/admin/workspaces' },
  {
    name: 'agents',
    path: () => '/admin/workspaces',
    act: async (page) => {
      await page.getByRole('button', { name: /^Actions for/ }).first().click()
      await page.getByRole('menuitem', { name: 'Agents' }).click()
      await page.getByRole('dialog').getByText('Report', { exact: true }).click()
      await page.getByRole('dialog').getByText(/gain/).first().waitFor()
    }
  },
  { name: 'credentials', path: () => '/admin/credentials' },
  { name: 'status', path: () => '/admin/status' },
  { name: 'inbox', path: afterAgents('/inbox') },
  { name: 'history', path: afterAgents(`/explorations/${INSTALMENTS}/history`) }
]

const ADDRESS = 'https://plans.example.com'
const TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g
/** For times of this run: it began and was seen just now. */
const AGO_MS = 90_000
const RUNNING_MS = 9 * 86_400_000

/**
 * Hides from `page` what a picture must not show of the run that makes it, its port, its clock and its own sign-ins, in the answers of the
 * web API: whatever happened since `began` happened just before the moment of the pictures.
 */
const steadyAnswers = async (page: Page, began: Date): Promise<void> => {
  // The stream of events has no end.
  await page.route(/\/web\/v1\/(?!events)/, async (route) => {
    const url = new URL(route.request().url())
    if (url.pathname.endsWith('/usage')) url.searchParams.set('to', NOW.toISOString())
    if (url.pathname.endsWith('/audit-events')) url.searchParams.set('until', NOW.toISOString())
    const response = await route.fetch({ url: url.href })
    const body = (await response.text())
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, ADDRESS)
      .replaceAll('"public_url":null', `"public_url":"${ADDRESS}"`)
      .replaceAll(/"started_at":"[^"]*"/g, `"started_at":"${new Date(NOW.getTime() - RUNNING_MS).toISOString()}"`)
      .replaceAll(TIME, (text, time: string) =>
        Date.parse(time) >= began.getTime() && Date.parse(time) <= Date.now() ? `"${new Date(NOW.getTime() - AGO_MS).toISOString()}"` : text)
    await route.fulfill({ response, body })
  })
}

const FOLDER = new URL('../../docs/images/', import.meta.url)
const WIDTHS = [1280, 375] as const
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const THEMES = ['light', 'dark'] as const

if (noBrowser !== false) throw new Error(noBrowser)
const wanted = process.argv.slice(2)
const began = new Date()
const server = await demoServer()
const chromium = await launchChromium()
mkdirSync(FOLDER, { recursive: true })
for (const shot of SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const options = { viewport: { width, height: width === 375 ? 812 : 800 }, colorScheme: theme, reducedMotion: 'reduce' } as const
      // One session: that of the picture.
      await server.db.query('delete from web_sessions')
      const { context, page, errors } = shot.signedOut
        ? await openWindow(chromium, server, options)
        : await signedInWindow(chromium, server, server.person.id, options, '/licenses.txt')
      await server.db.query('update web_sessions set user_agent = $1, remote_address = $2', [BROWSER, '10.0.4.17'])
      await page.clock.setFixedTime(NOW)
      await steadyAnswers(page, began)
      await page.goto(await shot.path(server))
      await page.waitForLoadState('networkidle')
      await shot.act?.(page)
      await page.evaluate('document.fonts.ready')
      if (await page.locator('.state-icon-bad').count() > 0) errors.push('the page could not load something')
      const file = new URL(`${shot.name}-${theme}-${width}.png`, FOLDER)
      await page.screenshot({ path: fileURLToPath(file) })
      if (errors.length > 0) console.error(`${shot.name} ${theme} ${width}: ${errors.join('; ')}`)
      await context.close()
    }
  }
  console.log(shot.name)
}
await chromium.close()
await server.close()
process.exit()
