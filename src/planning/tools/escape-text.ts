/**
 * Record text in the text channel. Records are written by people outside this server, so their words are always marked:
 * short ones stand in double quotes on one line, long ones after `>`, whole documents inside a fence that they cannot close.
 */

const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const BARE = /^[A-Za-z0-9][\w.:-]{0,127}$/

/** One line in double quotes. */
export const quoteText = (text: string): string => `"${text.replace(CONTROL, ' ').replaceAll('"', '\'')}"`

/** An id as it stands when it is a plain word, else in double quotes with escapes, so that it can still be copied exactly. */
export const quoteId = (id: string): string => BARE.test(id) ? id : JSON.stringify(id)

/** Every line after `> `. */
export const blockquote = (text: string, indent = ''): string =>
  `${indent}> ${text.replace(LINE_BREAKS, `\n${indent}> `)}`

/** Unchanged between two fences that are longer than any run of backticks in it. */
export const fencedMarkdown = (text: string): string => {
  let longest = 2
  for (const run of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run[0].length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}markdown\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

/** `1 item`, `2 items`. */
export const pluralize = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
