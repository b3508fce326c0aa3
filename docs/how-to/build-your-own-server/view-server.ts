import fastify from 'fastify'
import { createMcpPlugin, defineTool, result, VIEW_MIME_TYPE, type Resource } from 'exploration-mcp-engine'

const rollDice = defineTool({
  name: 'roll_dice',
  description: 'Rolls dice and returns the numbers that they show.',
  input: {
    type: 'object',
    properties: { dice: { type: 'integer', minimum: 1, maximum: 10, default: 2 } },
    additionalProperties: false
  },
  view: { resourceUri: 'ui://dice/table' }
}, async ({ dice }) => {
  const rolled = Array.from({ length: dice }, () => 1 + Math.floor(Math.random() * 6))
  return result({ rolled }, `The dice show ${rolled.join(', ')}.`)
})

const page = `<!doctype html>
<meta charset="utf-8">
<title>Dice</title>
<p id="dice" style="font: 3rem sans-serif">…</p>
<script>
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  if (data.id === 1 && data.result) send({ method: 'ui/notifications/initialized', params: {} })
  if (data.method !== 'ui/notifications/tool-result') return
  const rolled = data.params.structuredContent?.rolled ?? []
  document.getElementById('dice').textContent = rolled.map((face) => String.fromCodePoint(0x267f + face)).join(' ')
})
send({
  id: 1,
  method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appInfo: { name: 'dice', version: '1.0.0' }, appCapabilities: {} }
})
</script>`

const table: Resource = {
  template: 'ui://dice/table',
  name: 'dice-table',
  mimeType: VIEW_MIME_TYPE,
  ttlMs: 300_000,
  // The document needs nothing from elsewhere, so the host blocks all of it.
  view: { csp: {}, prefersBorder: true },
  read: async () => ({ mimeType: VIEW_MIME_TYPE, text: page })
}

const app = fastify({ logger: true })
await app.register(createMcpPlugin({
  server: { name: 'dice-table', version: '1.0.0' }, tools: [rollDice], resources: [table]
}))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
