/** The change of a file, for showing: nobody's secrets in it. */
import { createTwoFilesPatch } from 'diff'

export const diffOf = (file: string, before: string | undefined, after: string | undefined, secrets: readonly string[]): string => {
  if (before === after) return ''
  const patch = createTwoFilesPatch(before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file,
    plain(before), plain(after), undefined, undefined, { context: 3 })
  return patch.split('\n').slice(1).map((line, index) => index < 2 ? line.trimEnd() : mask(line, secrets)).join('\n')
}

/** Ours wherever they are; what neighbours could hold by its look, a long word without sense between quotes or after a colon. */
export const mask = (text: string, secrets: readonly string[] = []): string => {
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, `${secret.slice(0, 12)}…`)
  return text.replace(OPAQUE, (word) => looksOpaque(word) ? `${word.slice(0, 4)}…` : word)
}

const OPAQUE = /[\w+=-]{20,}/g
const looksOpaque = (word: string): boolean => /\d/.test(word) && /[a-z]/i.test(word)

const plain = (text = ''): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
