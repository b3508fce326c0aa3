/** What is made of a server's reply: its text, as long as it is no longer than it should be; and why there is none. */
import type { Dispatcher } from 'undici'

/** Undefined when there is more than `most` characters of it. */
export const textOf = async (body: Dispatcher.ResponseData['body'], most: number): Promise<string | undefined> => {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk
    if (text.length > most) return undefined
  }
  return text
}

export const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : 'unknown error'
