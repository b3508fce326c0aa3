/** Runs test files one after another in this process, as its parent sends their paths; sends back what tap says about each. */
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout } from 'node:timers'
import { pathToFileURL } from 'node:url'
import { compiledPath } from './compile.mjs'
import { cpuTime } from './cpu-time.mjs'

// Tap follows every promise and timer, to find the test that an uncaught error belongs to: a twentieth of all computing. Here such an error
// ends the process, and its stack is among the results of the file.
asyncHooks.createHook = () => ({ enable () { return this }, disable () { return this } })
syncBuiltinESMExports()
const { t, Test } = await import('tap')
const { setCurrentFile } = await import('./current-file.mjs')

// Tap would end a file after half a minute. Whether one hangs is for the parent to find out.
t.setTimeout(0)

// One message for many results: each takes two processes their time.
const SEND_EVERY_MS = 100

/** @param {object} message */
const send = (message) => new Promise((resolve) => process.send?.(message, resolve))

/** Milliseconds of processors for this process and for those that it started and that have ended. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (cpuTime('self')?.children ?? 0)
}

let results = ''
/** @type {NodeJS.Timeout | undefined} */
let sending

const sendResults = () => {
  clearTimeout(sending)
  sending = undefined
  if (results !== '') process.send?.({ text: results })
  results = ''
}

/** @param {string} text */
const addResults = (text) => {
  results += text
  // Nobody waits for it when the file is done: a process with nothing else to do may end.
  sending ??= setTimeout(sendResults, SEND_EVERY_MS).unref()
}

process.on('exit', sendResults)
process.on('uncaughtException', (error) => {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  console.error(stack)
  // The message may have several lines, and the stack repeats it.
  addResults(`\nnot ok - an error that nobody caught: ${message.split('\n', 1)[0]}\n  ---\n  stack: |\n${stack.replaceAll(/^/gm, '    ')}\n  ...\n`)
  process.exit(1)
})

/** @param {string} path */
const runFile = async (path) => {
  // Where tap takes the names of its folders from: two runs at once have different ones.
  process.argv[1] = `${process.ppid}/${path}`
  /** @type {import('tap').TestOpts} */
  const settings = { name: path, timeout: 0 }
  const file = new Test(settings)
  const before = cpuMs()
  setCurrentFile(file)
  file.on('data', (text) => addResults(String(text)))
  const complete = new Promise((resolve) => file.on('complete', resolve))
  try {
    await import(pathToFileURL(compiledPath(path)).href)
  } catch (error) {
    file.threw(error)
  }
  file.end()
  await complete
  file.setTimeout(0)
  setCurrentFile(undefined)
  sendResults()
  await send({ done: path, rss: process.memoryUsage.rss(), cpuMs: cpuMs() - before })
}

process.on('message', (/** @type {{ path: string } | 'end'} */ message) => {
  // Whatever a file left open keeps the process alive now, and the parent finds out.
  if (message === 'end') process.disconnect()
  else runFile(message.path).catch((error) => { throw error })
})
