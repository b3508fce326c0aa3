/** Breaks a text into lines of a width, at whole words where it can; what is left over becomes an ellipsis. */

/** Width of a text in px, in the font that draws it. */
export type MeasureText = (text: string) => number

const ELLIPSIS = '…'
// No line of a card shows more, and measuring a megabyte of text would take seconds.
const MAX_CHARS = 400

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Longest beginning of a word, of whole graphemes, that fits with `suffix`; at least one grapheme. */
const fittingPart = (word: string, width: number, measure: MeasureText, suffix = ''): string => {
  const graphemes = Array.from(segmenter.segment(word), ({ segment }) => segment)
  let low = 1
  let high = graphemes.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(graphemes.slice(0, middle).join('') + suffix) <= width) low = middle
    else high = middle - 1
  }
  return graphemes.slice(0, low).join('')
}

/** At most `maxLines` lines of `width` px. A word that is wider is broken; an ellipsis ends what is left over. */
export const fitText = (text: string, width: number, maxLines: number, measure: MeasureText): string[] => {
  const cut = text.length > MAX_CHARS
  const words = (cut ? text.slice(0, MAX_CHARS).replace(/[\ud800-\udbff]$/, '') : text).split(' ').filter(Boolean)
  const lines: string[] = []
  let line = ''
  let at = 0
  while (at < words.length && lines.length < maxLines) {
    const word = words[at] ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer) <= width) {
      line = longer
      at++
      continue
    }
    if (line === '') {
      line = fittingPart(word, width, measure)
      words[at] = word.slice(line.length)
    }
    lines.push(line)
    line = ''
  }
  if (lines.length < maxLines) {
    if (line !== '') lines.push(line)
    if (!cut) return lines
  } else if (at >= words.length && !cut) return lines
  const last = lines.pop() ?? ''
  return [...lines, withEllipsis(last, width, measure)]
}

/** The line with an ellipsis behind its last word that leaves room for it, or inside its only word. */
const withEllipsis = (line: string, width: number, measure: MeasureText): string => {
  for (let shorter = line; shorter !== ''; shorter = shorter.slice(0, Math.max(0, shorter.lastIndexOf(' ')))) {
    if (measure(shorter + ELLIPSIS) <= width) return shorter + ELLIPSIS
    if (!shorter.includes(' ')) return fittingPart(shorter, width, measure, ELLIPSIS) + ELLIPSIS
  }
  return ELLIPSIS
}
