/** The levels of log messages to the client: those of RFC 5424, from the least to the most severe. */

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** The severity of a log message to the client. */
export type LogLevel = typeof LOG_LEVELS[number]

export const isLogLevel = (value: unknown): value is LogLevel => LOG_LEVELS.some((level) => level === value)
