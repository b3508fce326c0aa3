/** Reads a list of the web API to its end. */
import type { Browser } from '../helpers/web.js'

/** The rows of all pages; `name` is that of the parameter that takes the cursor. */
export const allPages = async <Body, Row>(
  browser: Browser, path: string, rowsOf: (body: Body, text: string) => readonly Row[], name = 'cursor'
): Promise<Row[]> => {
  const rows: Row[] = []
  let cursor = ''
  do {
    const { body, text } = await browser.call<Body & { next_cursor?: string }>('GET', path + cursor)
    rows.push(...rowsOf(body, text))
    cursor = body.next_cursor === undefined ? '' : `&${name}=${body.next_cursor}`
  } while (cursor !== '')
  return rows
}
