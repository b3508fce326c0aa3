/** What a terminal shows of a run: one line that changes, each failure in full as it comes, and the sums at the end. */
import { basename } from 'node:path'

/** @typedef {{ columns?: number, write: (text: string) => unknown }} Terminal */

const CLEAR_LINE = '\r\u001b[K'

/**
 * @param {Terminal} terminal
 * @param {number} count how many files there are
 */
export const createTerminalReport = (terminal, count) => {
  /** @type {Map<string, number>} */
  const skipped = new Map()
  let done = 0
  let failures = 0
  return {
    /**
     * @param {string} path of a file that has ended
     * @param {string} results of the file, as TAP
     */
    add (path, results) {
      done++
      for (const failure of failuresOf(results)) {
        failures++
        terminal.write(`${CLEAR_LINE}✖ ${path}: ${failure}\n`)
      }
      for (const [, reason = ''] of results.matchAll(/^ *ok .* # SKIP (.*)$/gm)) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      const line = `${done} of ${count} files, ${failures} failures · ${basename(path)}`
      terminal.write(CLEAR_LINE + line.slice(0, (terminal.columns ?? 80) - 1))
    },

    /** @param {{ pass: number, fail: number, skip: number, seconds: number }} sums */
    end ({ pass, fail, skip, seconds }) {
      terminal.write(`${CLEAR_LINE}${count} files: ${pass} passed, ${fail} failed, ${skip} skipped, in ${Math.round(seconds)} s\n`)
      for (const [reason, times] of skipped) terminal.write(`Skipped ${times}: ${reason}\n`)
    }
  }
}

/**
 * Each failed assertion with the names of the tests around it and its diagnosis, and each test that failed without one: that ended too
 * early, or did not end.
 * @param {string} results as TAP
 */
export const failuresOf = (results) => {
  const lines = results.split('\n')
  /** @type {Array<{ indent: number, name: string, failures: number }>} the tests around a line, from the outside */
  const around = []
  /** @type {string[]} */
  const failures = []
  for (const [index, line] of lines.entries()) {
    const indent = line.length - line.trimStart().length
    const [, begun] = /^ *# Subtest: (.*)$/.exec(line) ?? []
    if (begun !== undefined) around.push({ indent, name: begun, failures: failures.length })
    const [, outcome, name = ''] = /^ *(not ok|ok)(?: \d+)?(?: - )?(.*)$/.exec(line) ?? []
    if (outcome === undefined) continue
    // The line of a test itself comes after those inside it, as far to the left as its beginning.
    const ended = around.at(-1)?.indent === indent ? around.pop() : undefined
    if (outcome === 'ok' || / # (?:TODO|SKIP)\b/.test(name) || (ended && failures.length > ended.failures)) continue
    failures.push([[...around.map((test) => test.name), name].join(' > '), ...diagnosisAfter(lines, index)].join('\n'))
  }
  return failures
}

/**
 * @param {string[]} lines
 * @param {number} index of the line that the diagnosis belongs to
 */
const diagnosisAfter = (lines, index) => {
  const first = lines[index + 1] ?? ''
  if (first.trim() !== '---') return []
  const end = lines.findIndex((line, at) => at > index && line.trim() === '...')
  const indent = first.indexOf('---')
  return lines.slice(index + 2, end).map((line) => `    ${line.slice(indent)}`)
}
