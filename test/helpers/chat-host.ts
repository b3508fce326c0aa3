/**
 * A chat's page that shows a view as hosts do: in a sandboxed frame of an opaque origin, under the strictest policy, with
 * calls of tools that go to a real server. It can also behave badly. No browser leaves this machine for it: both
 * addresses are answered by the test.
 */
import type { BrowserContextOptions, Browser } from 'playwright-core'
import { closeWindow } from './browser.js'

const HOST = 'http://chat.test/'
const VIEW = 'http://view.test/'
/** The policy that the specification prescribes for a view without domains, without images. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'none'; " +
  "font-src 'none'; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"

export interface HostOptions {
  document: string
  /** The result of a tool that the view calls, or a JSON-RPC error; a promise that never resolves is silence. */
  callTool?: (name: string, args: Record<string, unknown>) => Promise<object>
  /** What the host answers to `ui/initialize`; undefined for silence. */
  initialize?: object | undefined
  /** The notifications that follow `ui/notifications/initialized`. */
  then?: ReadonlyArray<{ method: string, params: object }>
  /** Code of the page that runs first, such as of a host that behaves badly. `frame` is the view's window. */
  script?: string
  window?: BrowserContextOptions
  /** Whether the page has a clock that the test moves. */
  clock?: boolean
}

export type ChatHost = Awaited<ReturnType<typeof openHost>>

/** What a usual host says of itself. */
export const usualHost = (context: object = {}, capabilities: object = {}): object => ({
  protocolVersion: '2026-01-26',
  hostInfo: { name: 'test', version: '1' },
  hostCapabilities: { serverTools: {}, openLinks: {}, message: {}, ...capabilities },
  hostContext: { theme: 'light', displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen'], ...context }
})

/** The notifications of a call of get_planning_state. */
export const toolNotifications = (explorationId: string, result?: object): Array<{ method: string, params: object }> => [
  { method: 'ui/notifications/tool-input', params: { arguments: { exploration_id: explorationId } } },
  ...result ? [{ method: 'ui/notifications/tool-result', params: result }] : []
]

/** JSON that may stand in a script: it closes none. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The page, as a chat has it: it sets the frame's height to what the view reports. */
const hostPage = ({ initialize, then = [], script = '' }: HostOptions): string => `<!doctype html>
<meta charset="utf-8"><title>Chat</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 16px; background: light-dark(#faf9f5, #262624) }
  iframe { display: block; width: 100%; height: 150px; border: 0 }
  .full iframe { position: fixed; inset: 0; height: 100% !important }
</style>
<iframe id="view" title="View" sandbox="allow-scripts" src="${VIEW}"></iframe>
<script>
  const element = document.getElementById('view')
  const frame = element.contentWindow
  const wire = []
  const answer = ${inScript(initialize ?? null)}
  const post = (message) => frame.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const results = {
    'ui/initialize': () => answer ?? new Promise(() => {}),
    'ui/open-link': () => ({}),
    'ui/message': () => ({}),
    'ui/request-display-mode': ({ mode }) => {
      document.body.classList.toggle('full', mode === 'fullscreen')
      post({ method: 'ui/notifications/host-context-changed', params: { displayMode: mode } })
      return { mode }
    },
    'tools/call': async ({ name, arguments: args }) => JSON.parse(await callTool(name, JSON.stringify(args ?? {})))
  }
  addEventListener('message', async ({ source, data }) => {
    if (source !== frame) return
    wire.push(data)
    const { id, method, params } = data
    if (method === 'ui/notifications/initialized') for (const message of ${inScript(then)}) post(message)
    if (method === 'ui/notifications/size-changed') element.style.height = params.height + 'px'
    if (id === undefined || !(method in results)) return
    const result = await results[method](params)
    post(result.jsonrpcError ? { id, error: result.jsonrpcError } : { id, result })
  })
  ${script}
</script>`

/** Opens the page with the view. */
export const openHost = async (from: Browser, options: HostOptions) => {
  const context = await from.newContext({ viewport: { width: 760, height: 900 }, reducedMotion: 'reduce', ...options.window })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const errors: string[] = []
  page.on('pageerror', (error) => { errors.push(String(error)) })
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()) })
  const html = (body: string, headers: Record<string, string> = {}) =>
    ({ status: 200, contentType: 'text/html; charset=utf-8', headers, body })
  await context.route('**', (route) => route.abort())
  await context.route(HOST, (route) => route.fulfill(html(hostPage(options))))
  await context.route(VIEW, (route) => route.fulfill(html(options.document, { 'content-security-policy': POLICY })))
  const { callTool } = options
  await page.exposeFunction('callTool', async (name: string, args: string) =>
    JSON.stringify(callTool === undefined
      ? { jsonrpcError: { code: -32601, message: 'No tools here.' } }
      : await callTool(name, JSON.parse(args) as Record<string, unknown>)))
  if (options.clock) await page.clock.install()
  await page.goto(HOST)
  return {
    page,
    view: page.frameLocator('#view'),
    /** What the view sent, in order. */
    sent: () => page.evaluate<Array<{ id?: number, method?: string, params?: Record<string, unknown>, result?: unknown, error?: unknown }>>('wire'),
    /** Sends a message to the view. */
    send: async (message: object) => { await page.evaluate(`post(${JSON.stringify(message)})`) },
    /** Errors and violations of the policy that the browser reported: has to be empty. */
    errors,
    /** Fails when there were errors. */
    close: () => closeWindow(context, errors)
  }
}
