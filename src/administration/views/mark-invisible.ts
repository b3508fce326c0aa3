/** Makes invisible characters of records visible to people, who would otherwise not see what a model reads. */
import { escapeInvisibleInLines } from '../../lib/text/invisible.js'

/** Writes invisible and direction characters as `\uXXXX`. Tabs and line breaks stay. */
export const markInvisible = (text: string): string => escapeInvisibleInLines(text.replaceAll('\r', ''))
