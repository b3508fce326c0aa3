/** Runs test files one after another in this process, as its parent sends their paths; sends back what tap says about each. */
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { compiledPath } from './compile.mjs'

// Tap follows every promise and timer, to find the test that an uncaught error belongs to: a twentieth of all computing. Here such an error
// ends the process, and its stack is among the results of the file.
asyncHooks.createHook = () => ({ enable () { return this }, disable () { return this } })
syncBuiltinESMExports()
// Folders of tests lie outside of this repository: a program that is told to read one would ask git about what is around it.
process.env['TAP_CWD'] = tmpdir()
const { t, Test } = await import('tap')
const { setCurrentFile } = await import('./current-file.mjs')

// Tap would end a file after half a minute. Whether one hangs is for the parent to find out.
t.setTimeout(0)

let results = ''

process.on('uncaughtException', (error) => {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  // The message may have several lines, and the stack repeats it.
  results += `\nnot ok - an uncaught error: ${message.split('\n', 1)[0]}\n  ---\n  stack: |\n${stack.replaceAll(/^/gm, '    ')}\n  ...\n`
  process.send?.({ results }, () => process.exit(1))
})

/** @param {string} path */
const runFile = async (path) => {
  results = ''
  // Where tap takes the names of its folders from: two runs at once have different ones.
  process.argv[1] = `${process.ppid}/${path}`
  /** @type {import('tap').TestOpts} */
  const settings = { name: path, timeout: 0 }
  const file = new Test(settings)
  setCurrentFile(file)
  file.on('data', (text) => { results += text })
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
  process.send?.({ results, rss: process.memoryUsage.rss() })
}

process.on('message', (/** @type {{ path: string } | 'end'} */ message) => {
  // Whatever a file left open keeps the process alive now, and the parent finds out.
  if (message === 'end') process.disconnect()
  else runFile(message.path).catch((error) => { throw error })
})
