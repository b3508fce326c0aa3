// How each agent's own command line is asked for its servers, and how its answer reads.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const platform = `${process.platform}-${process.arch}`
const folder = (name) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url))
const native = (name, path) => [`${folder(name)}/${path}`]
const script = (name, path) => [process.execPath, `${folder(name)}/${path}`]
// Of those that need a newer Node than the product does.
const newer = (name, path) => ['npx', '-y', '-p', 'node@24', 'node', `${folder(name)}/${path}`]

/** The last word is the file to run. */
export const COMMAND_LINES = {
  'claude-code': native(`@anthropic-ai/claude-code-${platform}`, 'claude'),
  codex: script('@openai/codex', 'bin/codex.js'),
  copilot: native(`@github/copilot-${platform}`, 'copilot'),
  gemini: script('@google/gemini-cli', 'bundle/gemini.js'),
  opencode: native(`opencode-${platform}`, 'bin/opencode'),
  qwen: newer('@qwen-code/qwen-code', 'cli-entry.js')
}

/** What a test of one says where it is not there, and otherwise false. */
export const whySkipped = (id) => !existsSync(COMMAND_LINES[id].at(-1)) && `the registry has no build for ${process.platform} on ${process.arch}`

/** The words that start one of them; `node` is the newer Node that some need, as npx takes a second to find it. */
export const commandOf = (id, node) => {
  const words = COMMAND_LINES[id]
  return words[0] === 'npx' && node ? [node, ...words.slice(words.indexOf('node') + 1)] : words
}

/** What keeps them from asking the network for anything but our server, as far as they let themselves be kept. */
export const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  COPILOT_AUTO_UPDATE: 'false',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  // It starts itself again otherwise, with more memory.
  GEMINI_CLI_NO_RELAUNCH: 'true',
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false'
}

/** Asks the server that Codex's editors talk to for the state of its MCP servers, and ends it: a line of JSON-RPC; none when it ends before. */
export const askCodex = async (appServer) => {
  for (const message of [
    { id: 0, method: 'initialize', params: { clientInfo: { name: 'interop', version: '1' } } },
    { method: 'initialized' },
    { id: 1, method: 'mcpServerStatus/list', params: {} }
  ]) appServer.stdin.write(`${JSON.stringify(message)}\n`)
  try {
    for await (const line of createInterface({ input: appServer.stdout })) {
      if (JSON.parse(line).id === 1) return line
    }
    return undefined
  } finally {
    appServer.kill('SIGKILL')
  }
}
