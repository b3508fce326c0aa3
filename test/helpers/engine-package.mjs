/**
 * The engine as its users get it: the tarball of `node scripts/engine/pack.mjs` in an empty folder, with its examples and the conformance fixture.
 * Nothing is fetched: the packages that the tarball declares are linked from the checkout, and only those, so an undeclared one is missing here
 * as it would be there.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startAuthorizationServer } from '../defects/authorization-server.mjs'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = 'exploration-mcp-engine'
const FIXTURE = join(ROOT, 'test/conformance')
/** What is no part of the fixture imports the product or tap. */
const FIXTURE_FILES = [
  'serve.ts', 'fixture.ts', 'input-tools.ts', 'media.ts', 'prompts.ts', 'resources.ts', 'stream-tools.ts', 'task-tools.ts', 'tools.ts'
]
/** What a reader installs beside the engine to compile an example, and the folder of each in the checkout. */
const DEV_PACKAGES = { typescript: 'typescript-native', '@types/node': '@types/node' }
/** The bearer that each example with authentication takes, for everything. */
export const EXAMPLE_BEARER = 'secret-of-ada'

/** @typedef {{ url: string, stop: () => Promise<void> }} RunningExample */

/** Links a package of the checkout into a folder's node_modules. */
const link = async (/** @type {string} */ folder, /** @type {string} */ name, source = name, packages = join(ROOT, 'node_modules')) => {
  const target = join(folder, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  await symlink(join(packages, source), target, 'dir')
}

/** Packs the engine and unpacks it among the packages of a folder, with what it declares. */
const unpackInto = async (/** @type {string} */ folder) => {
  const installed = join(folder, 'node_modules', PACKAGE)
  await mkdir(installed, { recursive: true })
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/engine/pack.mjs'), folder])
  const tarball = stdout.trim().split('\n').at(-1) ?? ''
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) await link(folder, name)
  return { installed, tarball }
}

/** The fixture is written for the product's own export of the engine. */
const copyFixture = async (/** @type {string} */ folder) => {
  await mkdir(folder)
  for (const file of FIXTURE_FILES) {
    const text = await readFile(join(FIXTURE, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll("'exploration-mcp/engine'", `'${PACKAGE}'`))
  }
  await cp(join(FIXTURE, 'skills'), join(folder, 'skills'), { recursive: true, dereference: true })
}

/**
 * Packs the engine, unpacks it in an empty folder and compiles the examples and the fixture there, strictly and with all declarations checked.
 * Rejects with what the compiler printed.
 * @param {{ check?: boolean, program?: string, packages?: readonly string[] }} [options] with `check: false` types are not looked at: for a
 *   test that only runs the examples; `program` is a further file of the checkout, which uses `packages` of test/interop
 */
export const installEngine = async ({ check = true, program, packages = [] } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'engine-package-'))
  const { installed, tarball } = await unpackInto(folder)
  for (const [name, source] of Object.entries(DEV_PACKAGES)) await link(folder, name, source)

  for (const name of packages) await link(folder, name, name, join(ROOT, 'test/interop/node_modules'))

  await cp(join(installed, 'examples'), folder, { recursive: true })
  if (program !== undefined) await cp(join(ROOT, program), join(folder, basename(program)))
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'))
  await copyFixture(join(folder, 'fixture'))
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
    files: [...files, 'fixture/serve.ts']
  }))
  // One checker that collects no garbage computes half as much as four, for 140 MB more.
  const compiler = [join(folder, 'node_modules/typescript/bin/tsc'), '-p', folder, '--checkers', '1', ...check ? [] : ['--noCheck']]
  await run(process.execPath, compiler, { env: { ...process.env, GOGC: 'off' } }).catch(({ stdout }) => {
    throw new Error(`The examples do not compile:\n${stdout}`)
  })

  const authorizationServer = await startAuthorizationServer({ 'token.audience': false, 'refresh.issued': false }, {
    [EXAMPLE_BEARER]: { scope: 'read read_write notes:publish', aud: 'http://localhost:3000/mcp' }
  })
  return {
    folder,
    tarball,
    authorizationServer,
    /** Names of the example servers, without an ending. */
    examples: files.filter((file) => file.endsWith('-server.ts')).map((file) => file.replace(/\.ts$/, '')),

    /**
     * Starts an example, or `fixture/serve`, on a free port of loopback.
     * @param {string} name
     * @param {NodeJS.ProcessEnv} env
     * @returns {Promise<RunningExample>}
     */
    async start (name, env = {}) {
      const server = spawn(process.execPath, [join(folder, `${name}.js`)], {
        cwd: folder, env: { ...process.env, PORT: '0', ISSUER: authorizationServer.issuer, ...env }, stdio: ['ignore', 'pipe', 'inherit']
      })
      // It continues to read, as the log of requests would fill the pipe.
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
      await authorizationServer.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
