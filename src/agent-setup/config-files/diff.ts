/** Formats the change of a file for the terminal: secrets masked, long lines cut. */
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff'

const MAX_LINE_LENGTH = 200

/** The unified diff of `file`, empty when nothing changes. An undefined text is an absent file. */
export const diffOf = (
  file: string, before: string | undefined, after: string | undefined, secrets: readonly string[]
): string => {
  if (before === after) return ''
  const nameOf = (text: string | undefined): string => text === undefined ? '/dev/null' : file
  const plain = (text = ''): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const [old, fresh] = foldLongLines(plain(before), plain(after))
  const patch = createTwoFilesPatch(nameOf(before), nameOf(after), old, fresh, '', '', {
    context: 3, headerOptions: FILE_HEADERS_ONLY
  })
  const lines = patch.split('\n').map((line) =>
    /^(?:---|\+\+\+) /.test(line) ? line.trimEnd() : clip(mask(line, secrets)))
  return lines.join('\n').trimEnd()
}

/** Masks these secrets everywhere, and other values that are named like a secret or look like one. */
export const mask = (text: string, secrets: readonly string[] = []): string => {
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, `${secret.slice(0, 12)}…`)
  return text
    .replace(NAMED, (whole, name: string, value: string) =>
      NO_SECRET.test(value) || name.includes('env_var') ? whole : name + hide(value))
    .replace(OPAQUE, (word) => /\d/.test(word) && /[a-z]/i.test(word) ? `${word.slice(0, 4)}…` : word)
}

const SECRET_NAME = /((?:key|token|secret|passw|auth|cookie|credential)[\w-]*["']?\s*[:=]\s*)/
const VALUE = /("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"',{}[\]]+)/
const NAMED = new RegExp(SECRET_NAME.source + VALUE.source, 'gi')
const OPAQUE = /[\w+=-]{20,}/g
// Masked already, a switch or a number, or a reference to a secret.
const NO_SECRET = /…|^(?:true|false|null|\d+)$|\$\{|\{(?:env|file):/

const hide = (value: string): string => {
  const quote = /^["']/.exec(value)?.[0] ?? ''
  return `${quote}…${quote}`
}

/** Breaks a file that is written on one line at its commas. */
const foldLongLines = (...texts: [old: string, fresh: string]): [old: string, fresh: string] => {
  const isLong = texts.some((text) => text.split('\n').some((line) => line.length > MAX_LINE_LENGTH * 2))
  const fold = (text: string): string => isLong ? text.replace(/[,{[](?=["{[])/g, '$&\n') : text
  return [fold(texts[0]), fold(texts[1])]
}

const clip = (line: string): string => line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
