/** Redacts request targets for the log. */
import { redactText } from './redact.js'

const MAX_PATH_LENGTH = 256

/** Returns the path without credentials, at most 256 characters. Drops the query, because it may hold a secret. */
export const redactPath = (url: string): string => redactText(url.split('?', 1)[0] ?? '').slice(0, MAX_PATH_LENGTH)

/** Returns the redacted path, followed by `?[redacted]` when the target has a query. */
export const redactUrl = (url: string): string => redactPath(url) + (url.includes('?') ? '?[redacted]' : '')
