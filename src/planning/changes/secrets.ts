/** Finds credentials in texts by their usual forms, so that they are not kept. */
import { redactText } from '../../lib/redact/redact.js'

const FORMS = [
  // GitHub, AWS, Slack, JSON Web Tokens, private keys
  /\b(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  // From the full stop, so that a text of many beginnings is read once.
  /\.(?<=\beyJ[\w-]{8,}\.)eyJ[\w-]{8,}\.[\w-]+/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/
]

/** Whether the text has a token of a usual form, or a credential of this server, also encoded. */
export const hasSecret = (text: string): boolean => FORMS.some((form) => form.test(text)) || redactText(text) !== text
