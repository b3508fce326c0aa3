/** Measures text with the font that the page really has. */
import { memoizedMeasure, type MeasureText } from './fit-text.js'
import { estimatedMeasure } from './letter-widths.js'

/** Returns a measure for text in `font` (a CSS font shorthand); an estimate of `size` px where there is no canvas. */
export const createTextMeasure = (font: string, size: number): MeasureText => {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return estimatedMeasure(size)
  context.font = font
  return memoizedMeasure((text) => context.measureText(text).width)
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
    card: createTextMeasure(`400 12.5px ${family}`, 12.5),
    head: createTextMeasure(`600 13px ${family}`, 13)
  }
}
