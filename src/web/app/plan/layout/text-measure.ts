/** Measures text with the font that the page really has. */
import { memoizedMeasure, type MeasureText } from './fit-text.js'

/** Returns a measure for text in `font` (a CSS font shorthand). */
const createTextMeasure = (font: string): MeasureText => {
  const context = document.createElement('canvas').getContext('2d')
  if (context !== null) context.font = font
  // Without a canvas about the width of the letters of a sans-serif font.
  return memoizedMeasure((text) => context?.measureText(text).width ?? text.length * 7.5)
}

export interface PlanMeasures {
  /** 12.5 px regular: cards and gates. */
  card: MeasureText
  /** 13 px semibold: heads of groups. */
  head: MeasureText
}

/** Returns the measures for the font family of an element. */
export const createPlanMeasures = (element: Element): PlanMeasures => {
  const family = getComputedStyle(element).fontFamily
  return {
    card: createTextMeasure(`400 12.5px ${family}`),
    head: createTextMeasure(`600 13px ${family}`)
  }
}
