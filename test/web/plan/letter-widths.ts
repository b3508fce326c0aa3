// Widths of text without a canvas to measure with.
import type { MeasureText } from '../../../src/web/app/plan/layout/fit-text.js'

// In hundredths of the font size, rather too wide than too narrow.
const NARROW = 32
const WIDE = 90
const CAPITAL = 70
const OTHER = 58

const widthOf = (character: string): number => {
  if (/[ijlt.,:;!|'()[\]fr ]/.test(character)) return NARROW
  if (/[mwMW@%—…]/.test(character)) return WIDE
  if (/[A-Z]/.test(character)) return CAPITAL
  return /[\u0020-\u024f]/.test(character) ? OTHER : 105
}

/** Estimates widths for a sans-serif font of `size` px. */
export const estimatedMeasure = (size: number): MeasureText => (text) => {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width * size / 100
}
