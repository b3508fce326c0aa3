// Makes a fresh or changed clone runnable: installs when the lock is newer than what is installed, builds when a source is newer
// than what is built. Quiet and quick when there is nothing to do; otherwise it says what it does, on a terminal with the seconds so far.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Milliseconds; 0 when there is no such file. */
const changed = (/** @type {string} */ path) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** @param {string} folder */
const latest = (folder) => Math.max(changed(folder), ...readdirSync(root + folder, { recursive: true }).map((path) => changed(`${folder}/${path}`)))

/** One line, with the seconds so far on a terminal. Answers what ends it. */
const show = (/** @type {string} */ what) => {
  const { stderr } = process
  const started = performance.now()
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`
  stderr.write(`${what} … `)
  const timer = stderr.isTTY && setInterval(() => { stderr.write(`\r${what} … ${seconds()}`) }, 1000)
  return () => {
    if (timer) clearInterval(timer)
    stderr.write(stderr.isTTY ? `\r${what} … ${seconds()}\n` : `${seconds()}\n`)
  }
}

/**
 * @param {string} what
 * @param {string[][]} commands arguments of npm
 */
const run = async (what, ...commands) => {
  const end = show(what)
  const [npm, shell] = process.platform === 'win32' ? ['npm.cmd', true] : ['npm', false]
  let warnings = ''
  for (const args of commands) {
    const { code, stdout, stderr } = await promisify(execFile)(npm, args, { cwd: root, shell, maxBuffer: 2 ** 28 })
      .then((printed) => ({ code: 0, ...printed }), (error) => error)
    warnings += stderr
    if (code === 0) continue
    end()
    // The compiler says on its standard output what is wrong.
    process.stderr.write(stdout + stderr)
    console.error(`${what} failed: npm ${args.join(' ')} ended with ${code}.`)
    process.exit(1)
  }
  end()
  process.stderr.write(warnings)
}

const installed = 'node_modules/.package-lock.json'
if (changed(installed) < changed('package-lock.json')) {
  await run('Installing dependencies', ['ci'])
  utimesSync(root + installed, new Date(), new Date())
}

// Empty: its time is that of the build.
const built = 'node_modules/.cache/exploration-mcp/built'
const sources = Math.max(...['src', 'schemas', 'scripts/bundle', 'scripts/web'].map(latest), changed('tsconfig.json'), changed(installed))
if (!changed('dist/cli.js') || changed(built) < sources) {
  await run('Building', ['run', '--silent', 'generate'], ['run', '--silent', 'build'])
  mkdirSync(dirname(root + built), { recursive: true })
  writeFileSync(root + built, '')
}
