/** Measures text with the font that the page really has. */
import type { MeasureText } from './fit-text.js'

// The widths that are remembered do not grow without bound.
const MAX_MEASURED = 20_000

const createTextMeasure = (font: string): MeasureText => {
  const context = document.createElement('canvas').getContext('2d')
  if (context !== null) context.font = font
  const widths = new Map<string, number>()
  return (text) => {
    if (widths.size >= MAX_MEASURED) widths.clear()
    // Without a canvas about the width of the letters of a sans-serif font.
    const width = widths.get(text) ?? context?.measureText(text).width ?? text.length * 7.5
    widths.set(text, width)
    return width
  }
}

export type PlanMeasures = ReturnType<typeof createPlanMeasures>

export const createPlanMeasures = (element: Element) => {
  const family = getComputedStyle(element).fontFamily
  return {
    /** Cards and gates. */
    card: createTextMeasure(`400 12.5px ${family}`),
    /** Heads of groups. */
    head: createTextMeasure(`600 13px ${family}`)
  }
}
