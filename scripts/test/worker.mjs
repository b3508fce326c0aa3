/** Runs test files one after another in this process, as its parent sends their paths; sends back what tap says about each. */
import { pathToFileURL } from 'node:url'
import { t, Test } from 'tap'
import { compiledPath } from './compile.mjs'
import { cpuTime } from './cpu-time.mjs'
import { setCurrentFile } from './current-file.mjs'

// Tap would end a file after half a minute. Whether one hangs is for the parent to find out.
t.setTimeout(0)

/** @param {object} message */
const send = (message) => new Promise((resolve) => process.send?.(message, resolve))

/** Milliseconds of processors for this process and for those that it started and that have ended. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (cpuTime('self')?.children ?? 0)
}

/** @param {string} path */
const runFile = async (path) => {
  // Where tap takes the names of its folders from: two runs at once have different ones.
  process.argv[1] = `${process.ppid}/${path}`
  /** @type {import('tap').TestOpts} */
  const settings = { name: path, timeout: 0 }
  const file = new Test(settings)
  const before = cpuMs()
  setCurrentFile(file)
  file.on('data', (text) => { process.send?.({ text: String(text) }) })
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
  await send({ done: path, rss: process.memoryUsage.rss(), cpuMs: cpuMs() - before })
}

process.on('message', (/** @type {{ path: string } | 'end'} */ message) => {
  // Whatever a file left open keeps the process alive now, and the parent finds out.
  if (message === 'end') process.disconnect()
  else runFile(message.path).catch((error) => { throw error })
})
