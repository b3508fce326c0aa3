/** Command lines in reports. */
import { quote } from '../lib/text/command-line.js'
import type { Redactor } from './redact.js'

const SECRET_OPTION = /^--?[\w-]*(?:key|token|secret|password|auth|header)[\w-]*/i

/** Returns a command line as a shell takes it, with what looks like a secret redacted. */
export const toCommandLine = (words: readonly string[], redactor: Redactor): string =>
  words
    .map((word, index) => {
      const before = words[index - 1] ?? ''
      if (SECRET_OPTION.test(before) && !before.includes('=') && !word.startsWith('-')) return quote('[redacted]')
      const [, name] = /^(--?[^=]+)=/.exec(word) ?? []
      if (name !== undefined && SECRET_OPTION.test(name)) return quote(`${name}=[redacted]`)
      return quote(redactor.text(word))
    })
    .join(' ')
