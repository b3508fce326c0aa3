/**
 * What `npm run types` and `npm run lint` say, side by side, each with one thread: together they compute a quarter less than with as many
 * threads as there are processors. Lines of the form `types: 3 errors` and `lint: 1 error` end it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const TSC = 'node_modules/typescript-native/bin/tsc'

/**
 * Runs a program of the project with Node, and prints what it says when it has ended. Answers how many errors it reports; one when it failed
 * without any.
 * @param {RegExp} error matches once for each error
 * @param {...string} args
 */
const run = async (error, ...args) => {
  const child = spawn(process.execPath, args, {
    cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, GOMAXPROCS: '1' }
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  process.stdout.write(output)
  return Math.max(output.match(error)?.length ?? 0, code === 0 ? 0 : 1)
}

/**
 * @param {string} name
 * @param {number} errors
 */
const report = (name, errors) => {
  console.log(`${name}: ${errors} ${errors === 1 ? 'error' : 'errors'}`)
  if (errors > 0) process.exitCode = 1
}

const checkTypes = async () => {
  const errors = /: error TS\d+/g
  const first = await run(errors, TSC, '--noEmit', '--singleThreaded')
  return first + await run(errors, TSC, '--noEmit', '--singleThreaded', '-p', 'src/web/app')
}

// The rules of style run in Node: fewer collections of the young generation save a tenth of their time.
const lint = () => run(/^.*: .*\[(?:Error|Warning)\b/gm, '--min-semi-space-size=64', '--max-semi-space-size=256',
  'node_modules/oxlint/bin/oxlint', '--config=.oxlint.config.mjs', '--threads=1', '--deny-warnings', '--format=unix', '.')

const [types, problems] = await Promise.all([checkTypes(), lint()])
report('types', types)
report('lint', problems)
