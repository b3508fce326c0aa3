// Runs in the browser: a chat's page on the reference bridge of the extension, with the official client as its connection to the server.
import { AppBridge, PostMessageTransport, RESOURCE_MIME_TYPE, getToolUiResourceUri, isToolVisibilityAppOnly } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { url, key, era, explorationId, theme, variables, sandbox } = JSON.parse(decodeURIComponent(location.hash.slice(1)))
const wire = []
const state = window.host = { wire, sizes: [], links: [], messages: [], answered: undefined }
document.documentElement.style.colorScheme = theme
document.documentElement.dataset.theme = theme

const client = new Client({ name: 'bridge-host', version: '1' }, {
  capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } },
  ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } })
})
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }))
state.revision = client.getNegotiatedProtocolVersion()
const { tools } = await client.listTools()
state.tools = tools.map((tool) => ({ name: tool.name, view: getToolUiResourceUri(tool), appOnly: isToolVisibilityAppOnly(tool) }))
const uri = getToolUiResourceUri(tools.find(({ name }) => name === 'get_planning_state'))
const { contents: [resource] } = await client.readResource({ uri })
state.resource = { mimeType: resource.mimeType, ui: resource._meta?.ui, length: resource.text.length }

const frame = document.querySelector('iframe')
const context = (displayMode) => ({
  theme,
  styles: { variables },
  displayMode,
  availableDisplayModes: ['inline', 'fullscreen'],
  containerDimensions: displayMode === 'inline' ? { maxHeight: 6000, maxWidth: frame.clientWidth } : { height: innerHeight, width: innerWidth }
})
const capabilities = { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} }, logging: {} }
const bridge = state.bridge = new AppBridge(client, { name: 'bridge-host', version: '1' }, capabilities, { hostContext: context('inline') })
bridge.onsizechange = (size) => {
  state.sizes.push(size)
  if (size.height !== undefined && document.body.dataset.mode !== 'fullscreen') frame.style.height = `${size.height}px`
}
bridge.onopenlink = async (params) => { state.links.push(params.url); return {} }
bridge.onmessage = async (params) => { state.messages.push(params); return {} }
bridge.onrequestdisplaymode = async ({ mode }) => {
  document.body.dataset.mode = mode
  bridge.setHostContext(context(mode))
  return { mode }
}
addEventListener('message', ({ source, data }) => { if (source === frame.contentWindow) wire.push(data) })

const isReady = new Promise((resolve) => { bridge.onsandboxready = resolve })
const isInitialized = new Promise((resolve) => { bridge.oninitialized = resolve })
frame.src = sandbox
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
await isReady
await bridge.sendSandboxResourceReady({ html: resource.text, csp: resource._meta?.ui?.csp, sandbox: 'allow-scripts' })
await isInitialized
const args = { exploration_id: explorationId }
await bridge.sendToolInput({ arguments: args })
const answered = await client.callTool({ name: 'get_planning_state', arguments: args })
document.getElementById('answer').textContent = `${answered.structuredContent.counts.items.done} of ${answered.structuredContent.counts.items.total} items are done. The plan:`
await bridge.sendToolResult(answered)
state.answered = true
