// Serves the page of bridge-host.mjs and its sandbox, each from an origin of its own, as the extension wants it.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** The strictest policy of the extension: nothing from anywhere, scripts and styles of the document itself. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'none'; font-src 'none'; connect-src 'none'; frame-src 'self'; object-src 'none'; base-uri 'none'"

const HOST = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
  body { margin: 0; background: light-dark(#faf9f5, #262624); color: light-dark(#1f1e1d, #faf9f5) }
  main { padding: 24px; display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr) }
  p { margin: 0; max-width: 60ch }
  .asked { justify-self: end; padding: 8px 14px; border-radius: 14px; background: light-dark(#efede4, #141413) }
  iframe { display: block; width: 100%; height: 120px; border: 0 }
  [data-mode=fullscreen] iframe { position: fixed; inset: 0; height: 100% !important }
  @media (width < 500px) { main { padding: 24px 12px } }
</style>
<main><p class="asked">How far is the plan, and what can start now?</p><p id="answer"></p><iframe title="View" sandbox="allow-scripts allow-same-origin"></iframe></main>
<script type="module" src="/host.js"></script></html>`

const SANDBOX = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Sandbox</title>
<style>html, body { margin: 0; height: 100%; overflow: hidden } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
<script>
  let inner
  addEventListener('message', ({ source, data }) => {
    if (source === parent) {
      if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner?.contentWindow.postMessage(data, '*')
      inner = document.createElement('iframe')
      inner.title = 'View'
      inner.setAttribute('sandbox', data.params.sandbox)
      inner.srcdoc = data.params.html
      document.body.append(inner)
    } else if (source === inner?.contentWindow) parent.postMessage(data, '*')
  })
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

const listen = async (reply) => {
  const server = createServer((request, response) => {
    const { type, body, headers = {} } = reply(new URL(request.url ?? '/', 'http://localhost').pathname)
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, port: server.address().port }
}

/** Starts both; the page's address takes what bridge-host.mjs reads. */
export const serveBridgeHost = async () => {
  const { output: [{ code }] } = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: { write: false, target: 'es2023', rolldownOptions: { input: fileURLToPath(new URL('bridge-host.mjs', import.meta.url)) } }
  })
  const host = await listen((path) => path === '/host.js' ? { type: 'text/javascript', body: code } : { type: 'text/html', body: HOST })
  const sandbox = await listen(() => ({ type: 'text/html', body: SANDBOX, headers: { 'content-security-policy': POLICY } }))
  return {
    address: (options) => `http://localhost:${host.port}/#${encodeURIComponent(JSON.stringify({ variables: {}, sandbox: `http://127.0.0.1:${sandbox.port}/`, ...options }))}`,
    async stop () {
      for (const { server } of [host, sandbox]) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    }
  }
}
