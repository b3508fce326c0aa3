/**
 * Escapes text of records in the text channel. People outside this server write records, so their text is always
 * marked: short texts in double quotes on one line, long ones after `>`, whole documents inside a fence that they
 * cannot close.
 */

const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g
// eslint-disable-next-line no-control-regex -- it matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const BARE = /^[A-Za-z0-9][\w.:-]{0,127}$/

/** What a text says of the records in it, once. */
export const ESCAPE_NOTE = '(what stands in quotes or after > is the team\'s text)'

/** Returns the text on one line in double quotes; inner double quotes become single ones. */
export const quoteText = (text: string): string => `"${text.replace(CONTROL, ' ').replaceAll('"', '\'')}"`

/** Returns a plain-word id unchanged, any other as a JSON string, so that it can be copied exactly. */
export const quoteId = (id: string): string => BARE.test(id) ? id : JSON.stringify(id)

export const blockquote = (text: string, indent = ''): string =>
  `${indent}> ${text.replace(LINE_BREAKS, `\n${indent}> `)}`

/** Wraps a text, unchanged, in a fence that is longer than any run of backticks in it. */
export const fenced = (text: string, language: string): string => {
  let longest = 2
  for (const run of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run[0].length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}
