/** Takes out of an exchange what must not be kept: credentials, cookies, what a session or a request's state could be taken over with. */

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'])
/** Enough to tell one session from another; its signature is at the end. */
const SESSION_HEADER = 'mcp-session-id'
const SHOWN_OF_SESSION = 12

const CREDENTIAL = /svc_(key|pat)_[A-Za-z2-7]+/g
const STATE = /("requestState"\s*:\s*")(?:[^"\\]|\\.)*(")/g

export const redactHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => {
    if (SECRET_HEADERS.has(name)) return [name, '[redacted]']
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    return [name, name === SESSION_HEADER && text.length > SHOWN_OF_SESSION ? `${text.slice(0, SHOWN_OF_SESSION)}…` : redactText(text)]
  }))

export const redactText = (text: string): string => text.replace(CREDENTIAL, 'svc_$1_[redacted]').replace(STATE, '$1[redacted]$2')
