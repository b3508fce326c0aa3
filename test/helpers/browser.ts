/**
 * A real browser for tests of the pages: Chromium as the system has it. `CHROMIUM` names another one. Where there is none, tests are
 * skipped and say so.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Flags } from '../../src/config/config.js'
import { addAuthenticator as addTo, launchChromium as launch, noChromium } from './chromium.mjs'
import { webServer } from './web.js'

/** For `t.test(name, { skip: noBrowser }, …)`: the reason, or false. */
export const noBrowser: string | false = noChromium

/** Starts Chromium so that it draws the same everywhere. */
export const launchChromium = (): Promise<Browser> => launch('--hide-scrollbars', '--font-render-hinting=none')

export type BrowserServer = Awaited<ReturnType<typeof listeningServer>>

/** A server on the sample data that listens at `url`, `http://localhost:PORT`. */
export const listeningServer = async (t: Test, flags: Flags = {}, parts: Parameters<typeof webServer>[3] = {}) => {
  const server = await webServer(t, flags, undefined, parts)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...server, url: `http://localhost:${(server.app.server.address() as AddressInfo).port}` }
}

let shared: Promise<Browser> | undefined

/** Started at the first call. A worker that runs many files closes it when it ends. */
const sharedChromium = async (): Promise<Browser> => {
  if ((await shared)?.isConnected() !== true) {
    shared = launchChromium()
    process.once('disconnect', () => { shared?.then((started) => started.close(), () => {}) })
  }
  return await shared!
}

/**
 * Chromium for a test, whose windows are closed at its end. All files of a worker have the same one, as a start costs a second of
 * computing; each window has its own cookies and cache all the same.
 */
export const browser = async (t: Test): Promise<Browser> => {
  const isWorker = process.env['TEST_WORKER'] !== undefined
  const chromium = await (isWorker ? sharedChromium() : launchChromium())
  t.teardown(async () => {
    if (!isWorker) await chromium.close()
    else await Promise.all(chromium.contexts().map((context) => context.close()))
  })
  return chromium
}

export type Visit = Awaited<ReturnType<typeof openWindow>>

/** Ends a window; throws the errors of its pages. */
export const closeWindow = async (context: BrowserContext, errors: readonly string[]): Promise<void> => {
  await context.close()
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

/** A window of its own: no cookies, an empty cache, and nothing moves in it. */
export const openWindow = async (from: Browser, server: { url: string }, options: BrowserContextOptions = {}) => {
  const context = await from.newContext({ baseURL: server.url, timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  // Against tests that hang: no test relies on it.
  page.setDefaultTimeout(120_000)
  const errors: string[] = []
  page.on('pageerror', (error) => { errors.push(String(error)) })
  page.on('console', (message) => {
    // A refused request is a console error too; what it means is on the page.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) errors.push(message.text())
  })
  return {
    context,
    page,
    /** What the pages wrote to the console as an error, and errors that no one caught: has to be empty. */
    errors,
    /** Closes the window; fails when there were errors. */
    close: () => closeWindow(context, errors)
  }
}

/** A window in which a person is signed in: by a link, as people do it. */
export const signedInWindow = async (
  from: Browser, server: BrowserServer, user: string, options: BrowserContextOptions = {}, path = '/integrations/developer'
): Promise<Visit> => {
  const visit = await openWindow(from, server, options)
  const { cookies } = await server.signIn(user)
  await visit.context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: server.url })))
  await visit.page.goto(path)
  return visit
}

/** A virtual authenticator. Answers how many passkeys it has. */
export const addAuthenticator = ({ page }: Visit): Promise<() => Promise<number>> => addTo(page)

/** Shows a page in a theme, and waits until no colour moves any more. */
export const showTheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const moving = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    do { await frame(); await frame() } while (moving().length > 0)
  })()`)
}

/** Waits until a page has everything that it shows: no request is on its way, nothing stands for what is still to come. */
export const loaded = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('.skeleton, [aria-busy=true], .progress-bar').first().waitFor({ state: 'detached' })
}

/** Presses Tab until the named element has the focus; at most as often as a page has elements. */
export const tabTo = async (page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key)
    if (name.test(await focusedName(page))) return
  }
  throw new Error(`${key} does not reach ${String(name)}`)
}

/** The name of the element that has the focus, about as a screen reader says it. */
export const focusedName = async (page: Page): Promise<string> => String(await page.evaluate(`(() => {
  const element = document.activeElement
  return (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim()
})()`))

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SHOWN = "(document.querySelector('dialog[open]') ?? document)"
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe has against the page as it is: one line each. With `rules` only what breaks one of these; `within` some elements. While a
 * dialog is open no one reaches what is behind it, which may be a plan of 600 items: then it is the dialog alone.
 */
export const axeViolations = async (page: Page, rules?: readonly string[], within = SHOWN): Promise<string[]> => {
  // Evaluated by the debugger, which the policy of the page does not bind; once a document, as its parsing costs as much as its run.
  if (!await page.evaluate("'axe' in window")) await page.evaluate(AXE)
  // What passes need not be described.
  const options = { runOnly: rules ? { type: 'rule', values: rules } : RULES, resultTypes: ['violations'] }
  return page.evaluate(`((within) => within.length === 0 ? [] : axe.run(within, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' ' + target.join(' ') + ': ' + failureSummary.replaceAll('\\n', ' ')))))(${within})`)
}

export const DESK = { width: 1280, height: 900 }
export const PHONE = { width: 375, height: 812 }
/** A window of a desk in which nothing moves. */
export const STILL = { viewport: DESK, reducedMotion: 'reduce' } as const

/**
 * Axe finds nothing on the page as it is, in either theme and on a phone, and nothing is wider than the window or its dialog. Themes
 * differ in their colours alone, and a phone in what it shows and in sizes.
 */
export const checkAxe = async (t: Test, page: Page, name: string): Promise<void> => {
  const visible = `[...${SHOWN}.querySelectorAll('*')].filter((one) => one.checkVisibility())`
  const fits = `document.documentElement.scrollWidth <= innerWidth &&
    [...document.querySelectorAll('dialog')].every((one) => one.scrollWidth <= one.clientWidth)`
  await page.setViewportSize(DESK)
  await showTheme(page, 'dark')
  t.same(await axeViolations(page, ['color-contrast']), [], `${name}, dark`)
  await showTheme(page, 'light')
  t.same(await axeViolations(page), [], `${name}, ${DESK.width} px`)
  t.ok(await page.evaluate(`window.checkedByAxe = new Set(${visible}), ${fits}`), `${name}: nothing is wider than ${DESK.width} px`)
  await page.setViewportSize(PHONE)
  t.same(await axeViolations(page, ['target-size', 'scrollable-region-focusable']), [], `${name}, ${PHONE.width} px`)
  t.same(await axeViolations(page, undefined, `${visible}.filter((one) => !checkedByAxe.has(one))`), [], `${name}: what only a phone shows`)
  t.ok(await page.evaluate(fits), `${name}: nothing is wider than ${PHONE.width} px`)
  await page.setViewportSize(DESK)
}
