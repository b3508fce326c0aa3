// The clients of the matrix: how each is started from the root of the repository.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PYTHON = 'test/interop/.venv/bin/python'
const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** A client whose `needs` is not installed is left out of a run, and the page says so. */
export const CLIENTS = [
  {
    id: 'typescript-1',
    title: 'TypeScript 1.32',
    command: ['node', 'test/interop/matrix/typescript-1.mjs'],
    needs: 'test/interop/node_modules/@modelcontextprotocol/sdk'
  },
  {
    id: 'typescript-2',
    title: 'TypeScript 2.4',
    command: ['node', 'test/interop/matrix/typescript-2.mjs'],
    needs: 'test/interop/node_modules/@modelcontextprotocol/client'
  },
  {
    id: 'typescript-2-legacy',
    title: 'TypeScript 2.4, handshake',
    command: ['env', 'MODE=legacy', 'node', 'test/interop/matrix/typescript-2.mjs'],
    needs: 'test/interop/node_modules/@modelcontextprotocol/client'
  },
  { id: 'python', title: 'Python 2.3', command: [PYTHON, 'test/interop/matrix/python.py'], needs: PYTHON },
  {
    id: 'python-legacy',
    title: 'Python 2.3, handshake',
    command: ['env', 'MODE=legacy', PYTHON, 'test/interop/matrix/python.py'],
    needs: PYTHON
  },
  {
    id: 'inspector',
    title: 'Inspector 2.12',
    command: ['node', 'test/interop/matrix/inspector.mjs'],
    needs: 'test/interop/node_modules/@modelcontextprotocol/inspector'
  }
].map((client) => ({ ...client, installed: existsSync(at(client.needs)) }))
