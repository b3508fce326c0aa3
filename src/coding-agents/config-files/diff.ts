/** The change of a file, for showing: nobody's secrets in it, and no line that fills the screen. */
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff'

const MAX_LINE_LENGTH = 200

export const diffOf = (
  file: string, before: string | undefined, after: string | undefined, secrets: readonly string[]
): string => {
  if (before === after) return ''
  const names = [before, after].map((text) => text === undefined ? '/dev/null' : file)
  const texts = [before, after].map((text = '') => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
  const [old, fresh] = foldLongLines(texts)
  const patch = createTwoFilesPatch(names[0]!, names[1]!, old!, fresh!, '', '', {
    context: 3, headerOptions: FILE_HEADERS_ONLY
  })
  return patch.split('\n').map((line) => /^(?:---|\+\+\+) /.test(line) ? line.trimEnd() : clip(mask(line, secrets))).join('\n').trimEnd()
}

/** Ours wherever they are; of others, what is called like a secret or looks like one. */
export const mask = (text: string, secrets: readonly string[] = []): string => {
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, `${secret.slice(0, 12)}…`)
  return text
    .replace(NAMED, (whole, name: string, value: string) => NO_SECRET.test(value) || name.includes('env_var') ? whole : name + hide(value))
    .replace(OPAQUE, (word) => /\d/.test(word) && /[a-z]/i.test(word) ? `${word.slice(0, 4)}…` : word)
}

const NAMED = /((?:key|token|secret|passw|auth|cookie|credential)[\w-]*["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"',{}[\]]+)/gi
const OPAQUE = /[\w+=-]{20,}/g
// Hidden already, a switch or a number, or a place where the secret is.
const NO_SECRET = /…|^(?:true|false|null|\d+)$|\$\{|\{(?:env|file):/

const hide = (value: string): string => {
  const quote = /^["']/.exec(value)?.[0] ?? ''
  return `${quote}…${quote}`
}

/** A file that is all on one line is broken at its commas, for looking at. */
const foldLongLines = (texts: string[]): string[] =>
  texts.some((text) => text.split('\n').some((line) => line.length > MAX_LINE_LENGTH * 2)) ? texts.map((text) => text.replace(/[,{[](?=["{[])/g, '$&\n')) : texts

const clip = (line: string): string => line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
