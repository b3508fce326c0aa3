/** Reads the credential out of an Authorization header, or says what is wrong with how it was sent. */

export type Bearer = { secret: string } | { reason: 'missing' | 'placeholder' | 'malformed', hint: string }

const REGISTER = 'Send "Authorization: Bearer <credential>", with one space, on every request. Credentials start with svc_key_ or svc_pat_.'
// What agents send literally when they did not fill in a variable: ${X}, $X, {env:X}, {{X}}, %X%, <token>
const PLACEHOLDER = /^(?:\$\{.*\}|\$[A-Za-z_]\w*|\{.*\}|%\w+%|<.*>)$/

export const readBearer = (authorization: string | undefined): Bearer => {
  if (authorization === undefined) return { reason: 'missing', hint: `There is no Authorization header. ${REGISTER}` }
  const value = authorization.replace(/^bearer(?: +|$)/i, '').trim()
  if (value === '' || PLACEHOLDER.test(value)) {
    return {
      reason: 'placeholder',
      hint: value === ''
        ? 'The credential is empty: the variable that your client fills in is probably not set. Set it, or write the credential itself.'
        : 'The client sent a placeholder instead of a credential: it did not fill in a variable. Set the variable for the client, or write the credential itself.'
    }
  }
  const secret = /^Bearer (\S+)$/.exec(authorization)?.[1]
  return secret === undefined ? { reason: 'malformed', hint: REGISTER } : { secret }
}
