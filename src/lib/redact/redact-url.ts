/** Request targets as they may be logged. */
import { redactText } from './redact.js'

const MAX_PATH_LENGTH = 256

/** The path alone, without credentials, at most 256 characters: a query may hold anything. */
export const redactPath = (url: string): string => redactText(url.split('?', 1)[0] ?? '').slice(0, MAX_PATH_LENGTH)

/** The path, and whether there was a query. */
export const redactUrl = (url: string): string => redactPath(url) + (url.includes('?') ? '?[redacted]' : '')
