/** The columns that a text takes in a terminal. */

/** East Asian wide and full-width characters, and emoji: two columns each (Unicode Standard Annex 11). */
const WIDE = new RegExp(
  String.raw`[\u1100-\u115F\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60` +
  String.raw`\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}`, 'u')
/** Marks that combine with the character before them: no column. */
const COMBINING = /[\p{Mn}\p{Me}]/u

export const terminalWidth = (text: string): number => {
  let columns = 0
  for (const character of text) columns += COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return columns
}
