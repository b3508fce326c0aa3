/**
 * The engine as its users get it: `npm pack`'s tarball in an empty folder, with the examples of the documentation. Nothing is fetched: the
 * packages that the tarball declares are linked from the checkout, and only those, so an undeclared one is missing here as it would be there.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startAuthorizationServer } from './authorization-server.mjs'
import { packedProgram } from './packed-program.mjs'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLES = join(ROOT, 'docs/how-to/build-your-own-server')
/** What a reader installs beside the engine to compile an example, and the folder of each in the checkout. */
const DEV_PACKAGES = { typescript: 'typescript-native', '@types/node': '@types/node' }
/** The bearer that each example with authentication takes, for everything. */
export const EXAMPLE_BEARER = 'secret-of-ada'

/** @typedef {{ url: string, stop: () => Promise<void> }} RunningExample */

/** Links a package of the checkout into a folder's node_modules. */
const link = async (/** @type {string} */ folder, /** @type {string} */ name, source = name) => {
  const target = join(folder, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  await symlink(join(ROOT, 'node_modules', source), target, 'dir')
}

/**
 * Packs the checkout, unpacks it in an empty folder and compiles the examples there, strictly and with all declarations checked.
 * `npm run build` comes first. Rejects with what the compiler printed.
 * @param {{ check?: boolean }} [options] with `check: false` types are not looked at: for who only runs the examples
 */
export const installEngine = async ({ check = true } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'engine-package-'))
  const installed = join(folder, 'node_modules/exploration-mcp')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', await packedProgram(), '-C', installed, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) await link(folder, name)
  for (const [name, source] of Object.entries(DEV_PACKAGES)) await link(folder, name, source)

  await cp(EXAMPLES, folder, { recursive: true })
  const examples = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.ts'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: false
    },
    files: examples
  }))
  await run(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', folder, ...check ? [] : ['--noCheck']]).catch(({ stdout }) => {
    throw new Error(`The examples do not compile:\n${stdout}`)
  })

  const authorizationServer = await startAuthorizationServer({
    [EXAMPLE_BEARER]: { scope: 'read read_write notes:publish', audience: 'http://localhost:3000/mcp' }
  })
  return {
    folder,
    authorizationServer,
    /** Names of the examples, without an ending. */
    examples: examples.map((file) => file.replace(/\.ts$/, '')),

    /**
     * Starts an example on a free port of loopback.
     * @param {string} name
     * @param {NodeJS.ProcessEnv} env
     * @returns {Promise<RunningExample>}
     */
    async start (name, env = {}) {
      const server = spawn(process.execPath, [join(folder, `${name}.js`)], {
        cwd: folder, env: { ...process.env, PORT: '0', ISSUER: authorizationServer.issuer, ...env }, stdio: ['ignore', 'pipe', 'inherit']
      })
      // It goes on reading, as the log of requests would fill the pipe.
      const lines = createInterface({ input: server.stdout })
      const address = await new Promise((resolve, reject) => {
        lines.on('line', (line) => {
          const [, found] = /listening at (http:[^\s"]+)/.exec(line) ?? []
          if (found !== undefined) resolve(found)
        })
        server.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it listened`)))
      })
      return {
        url: `${address}/mcp`,
        async stop () {
          const ended = once(server, 'exit')
          server.kill()
          await ended
        }
      }
    },

    async remove () {
      authorizationServer.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
