/** Reads the credential from an Authorization header, or explains what is wrong with the header. */

export type Bearer = { secret: string } | { reason: 'missing' | 'placeholder' | 'malformed', hint: string }

const REGISTER = 'Send "Authorization: Bearer <credential>", with one space, on every request. ' +
  'Credentials start with svc_key_ or svc_pat_.'

const EXAMPLE = new RegExp(
  String.raw`^(?:<.*>|\[.*\]|(?:your|my|the)[-_ ].*|.*(?:_here|-here)|(?:api[-_]?|access[-_]?)?(?:key|token)|` +
  String.raw`credential|x{3,}|\*{3,}|changeme|todo|undefined|null|none)$`,
  'i'
)

/* eslint-disable no-template-curly-in-string -- agents send these literally when they do not substitute a variable */
const PLACEHOLDERS: ReadonlyArray<readonly [form: RegExp, remedy: string]> = [
  [/^\$\{input:.*\}$/,
    'It stands for an input of VS Code: enter the credential when the editor asks, in an entry of that editor.'],
  [/^\$?\{file:.*\}$/,
    'It stands for the content of a file: only opencode reads {file:…} and only Windsurf ${file:…}; check the path, ' +
    'or write the credential itself.'],
  [/^\{env:.*\}$/,
    'It stands for a variable of the environment: only opencode writes it so; others write ${NAME} or ${env:NAME}. ' +
    'Set it where the client is started.'],
  [/^\$\{env:.*\}$/,
    'It stands for a variable of the environment, as Cursor, Windsurf and Roo Code write it; others write ${NAME}. ' +
    'Set it where the client is started.'],
  [/^(?:\$?\{\{.*\}\}|\$\(.*\)|op:\/\/.*)$/,
    'It is of a shell, a pipeline or a vault, which has to fill it in: a variable is filled in by the client.'],
  [/^(?:\$\{.*\}|\$(?:env:)?[A-Za-z_]\w*|%\w+%|!\w+!|\{.*\})$/,
    'It stands for a variable of the environment: set the variable where the client is started, and start it again.'],
  [EXAMPLE, 'It was to be replaced by the credential.'],
  [/^svc_(?:key|pat)_(?:\.{2,}.*|….*|x+|\*+|<.*>)?$/i,
    'It is the beginning of an example: put the whole credential there.']
]
/* eslint-enable no-template-curly-in-string */

/** Returns the secret, not verified, or why there is none. RFC 9110 section 11.1: the scheme is case-insensitive. */
export const readBearer = (authorization: string | undefined): Bearer => {
  if (authorization === undefined) return { reason: 'missing', hint: `There is no Authorization header. ${REGISTER}` }
  const secret = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  const isFilledIn = secret !== undefined && /^svc_(?:key|pat)_[A-Za-z0-9]{4,}$/.test(secret)
  if (isFilledIn && !/^svc_..._x+$/i.test(secret)) return { secret }

  // Node decodes header values as Latin-1, but pasted text is UTF-8.
  const text = Buffer.from(authorization, 'latin1').toString()
  const value = text.replace(/^bearer(?:\s+|$)/i, '').trim()
  if (value === '') {
    return {
      reason: 'placeholder',
      hint: 'The credential is empty: the variable that your client fills in is probably not set. ' +
        'Set it, or write the credential itself.'
    }
  }
  const placeholder = PLACEHOLDERS.find(([form]) => form.test(value.replace(/^(["'`])(.*)\1$/, '$2')))
  if (placeholder) {
    return {
      reason: 'placeholder',
      hint: `The client sent a placeholder instead of a credential, it did not fill in a variable. ${placeholder[1]}`
    }
  }
  const wrong = mistakeIn(text)
  if (wrong !== undefined) return { reason: 'malformed', hint: `${wrong} ${REGISTER}` }
  return secret === undefined ? { reason: 'malformed', hint: REGISTER } : { secret }
}

const mistakeIn = (authorization: string): string | undefined => {
  if (/["'`‘’“”]/.test(authorization)) return 'There are quotes around the credential: take them away.'
  if (/^svc_/.test(authorization)) return 'The word "Bearer" is missing before the credential.'
  if (/^bearer\s+bearer\b/i.test(authorization)) return 'The word "Bearer" is there twice: the client adds it itself.'
  if (/^bearer:/i.test(authorization)) return 'There is a colon after "Bearer": take it away.'
  if (/^bearer {2,}/i.test(authorization)) return 'There is more than one space after "Bearer".'
  if (/^bearer\t/i.test(authorization)) return 'There is a tab after "Bearer".'
  if (/^bearersvc_/i.test(authorization)) return 'The space after "Bearer" is missing.'
  if (/[^\t\x20-\x7e]/.test(authorization)) {
    return 'There is a character in it that no credential has, such as a curved quote or a wide space: ' +
      'type the header anew.'
  }
  const scheme = /^([A-Za-z]{1,16}) /.exec(authorization)?.[1]
  if (scheme === undefined || scheme.toLowerCase() === 'bearer') return undefined
  return `The scheme is not "${scheme}" but "Bearer".`
}
