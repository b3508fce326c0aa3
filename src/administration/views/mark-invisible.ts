/** Makes invisible characters of records visible to people, who would otherwise not see what a model reads. */
import { escapeInvisible } from '../../lib/text/invisible.js'

/** Writes invisible and direction characters as `\uXXXX`. Tabs and line breaks stay. */
export const markInvisible = (text: string): string =>
  text.split(/([\t\n\r])/).map((part, index) =>
    index % 2 === 0 ? escapeInvisible(part) : part === '\r' ? '' : part).join('')
