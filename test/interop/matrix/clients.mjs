// The clients of the matrix: how each is started from the root of the repository.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { COMMAND_LINES } from '../agents/command-lines.mjs'

const PYTHON = 'test/interop/.venv/bin/python'
const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** What needs a Node that is newer than the product's: it is named by this variable. */
const NEWER_NODE = 'MATRIX_NODE=$(npx -y -p node@24 node -p process.execPath)'

const agent = (id, title, more) => ({
  id,
  title,
  command: ['node', 'test/interop/matrix/agent.mjs', id],
  needs: COMMAND_LINES[id].at(-1),
  agent: true,
  asks: `${id === 'claude-code' ? 'claude' : id} mcp list`,
  ...more
})

const ONE_PAGE = 'it asks whether the server works, and shows no tools, so the first page is enough'

/** `authorizes`: it gets a token by itself where none is given. A client whose `needs` is not installed is left out of a run, and the page says so. */
export const CLIENTS = [
  {
    id: 'typescript-1',
    title: 'TypeScript 1.32',
    command: ['node', 'test/interop/matrix/typescript-1.mjs'],
    needs: at('test/interop/node_modules/@modelcontextprotocol/sdk'),
    authorizes: true
  },
  {
    id: 'typescript-2',
    title: 'TypeScript 2.4',
    command: ['node', 'test/interop/matrix/typescript-2.mjs'],
    needs: at('test/interop/node_modules/@modelcontextprotocol/client'),
    authorizes: true
  },
  {
    id: 'typescript-2-legacy',
    title: 'TypeScript 2.4, handshake',
    command: ['env', 'MODE=legacy', 'node', 'test/interop/matrix/typescript-2.mjs'],
    needs: at('test/interop/node_modules/@modelcontextprotocol/client'),
    authorizes: true
  },
  { id: 'python', title: 'Python 2.3', command: [PYTHON, 'test/interop/matrix/python.py'], needs: at(PYTHON), authorizes: true },
  {
    id: 'python-legacy',
    title: 'Python 2.3, handshake',
    command: ['env', 'MODE=legacy', PYTHON, 'test/interop/matrix/python.py'],
    needs: at(PYTHON),
    authorizes: true
  },
  {
    id: 'inspector',
    title: 'Inspector 2.12',
    command: ['node', 'test/interop/matrix/inspector.mjs'],
    needs: at('test/interop/node_modules/@modelcontextprotocol/inspector'),
    prefix: NEWER_NODE,
    // Its command line waits a minute for each reply, whatever its configuration says.
    seconds: 150
  },
  agent('claude-code', 'Claude Code 2.1', {
    sends: 'server/discover, a subscription and one list of tools',
    exempt: { 'pages-of-one': ONE_PAGE, 'page-empty': ONE_PAGE }
  }),
  agent('codex', 'Codex 0.169', { asks: 'codex app-server, mcpServerStatus/list', sends: 'the handshake and all lists' }),
  agent('gemini', 'Gemini CLI 0.61', { sends: 'the handshake and a ping' }),
  agent('opencode', 'opencode 1.18', { sends: 'the handshake and the lists' }),
  agent('qwen', 'Qwen Code 0.24', { prefix: NEWER_NODE, sends: 'the handshake' })
].map((client) => ({ ...client, installed: existsSync(client.needs) }))

/** Clients that CI installs and that do not connect without a model: their cells are all "not exercised". */
export const NEVER_CONNECTS = [
  { id: 'copilot', title: 'Copilot CLI 1.0', asks: 'copilot mcp list', why: 'it prints its configuration; it connects when it is about to ask a model' }
]
