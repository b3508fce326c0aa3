// Makes a fresh or changed clone runnable: installs when the lock is newer than what is installed, builds when a source is newer
// than what is built. Quiet and quick when there is nothing to do; otherwise it says what it does, on a terminal with the seconds so far.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Milliseconds; 0 when there is no such file. */
const changed = (/** @type {string} */ path) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** @param {string} folder */
const latest = (folder) => Math.max(changed(folder), ...readdirSync(root + folder, { recursive: true }).map((path) => changed(`${folder}/${path}`)))

/** One line that changes on a terminal, two lines elsewhere. Answers what ends it. */
const show = (/** @type {string} */ what) => {
  const { stderr } = process
  const started = performance.now()
  const line = () => `${what} … ${Math.round((performance.now() - started) / 1000)} s`
  if (!stderr.isTTY) {
    stderr.write(`${what} …\n`)
    return () => { stderr.write(`${line()}\n`) }
  }
  const timer = setInterval(() => { stderr.write(`\r${line()}`) }, 1000)
  stderr.write(`\r${line()}`)
  return () => {
    clearInterval(timer)
    stderr.write(`\r${line()}\n`)
  }
}

/**
 * @param {string} what
 * @param {string[][]} commands arguments of npm
 */
const run = async (what, ...commands) => {
  const end = show(what)
  let warnings = ''
  for (const args of commands) {
    const child = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
      cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32'
    })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    warnings += err
    if (code === 0) continue
    end()
    // The compiler says on its standard output what is wrong.
    process.stderr.write(out + err)
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
