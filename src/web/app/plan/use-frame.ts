/** The frame in which a plan is drawn: its width, its font, and what of the picture is on the screen at first. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Lane, Picture } from './layout/picture.js'
import { createPlanMeasures, type PlanMeasures } from './layout/text-measure.js'

/** Both undefined before the element is in the document; `beforeChange` is called before another width is returned. */
export const useFrame = (
  root: { current: HTMLElement | null }, beforeChange: () => void
): [width: number | undefined, measures: PlanMeasures | undefined] => {
  const [width, setWidth] = useState<number>()
  const [measures, setMeasures] = useState<PlanMeasures>()
  const changing = useRef(beforeChange)
  changing.current = beforeChange
  useLayoutEffect(() => {
    const element = root.current
    if (element === null) return undefined
    const measure = (): void => setMeasures(createPlanMeasures(element))
    setWidth(element.clientWidth)
    measure()
    let mounted = true
    // A font that arrives in time is narrower or wider than the one before it.
    if (document.fonts.status === 'loading') document.fonts.ready.then(() => mounted && measure(), () => undefined)
    let last = element.clientWidth
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === last) return
      last = element.clientWidth
      changing.current()
      setWidth(last)
    })
    observer.observe(element)
    return () => {
      mounted = false
      observer.disconnect()
    }
  }, [])
  return [width, measures]
}

// The gap before what is shown first, in px.
const BEFORE = 8
/** A piece of an open group, enough to see that something is there. */
const PIECE = 160

/** The top of a group, or of the gates before it. */
const topOf = ({ gates }: Picture, { y, group }: Lane): number =>
  Math.min(y, ...gates.filter(({ gate }) => gate.group.index === group.index - 1).map((mark) => mark.y)) - BEFORE

/** The left of a group with the one before it: all of that if it is closed, else a piece. */
const leftOf = ({ lanes }: Picture, { x, group }: Lane): number => {
  const before = lanes[group.index - 1]
  return before === undefined || before.open ? x - PIECE : before.x - BEFORE
}

/** Work in progress is what people look for: a large picture begins there. */
export const scrollToFirstOpen = (scroller: HTMLElement | null, picture: Picture | undefined, zoom: number): void => {
  if (scroller === null || picture === undefined) return
  if (picture.kind === 'rails') {
    // Only where the height is limited: a page scrolls as a whole.
    const first = picture.lanes.find(({ open, group: { counts, items } }) => open && counts.done < items.length)
    if (first !== undefined) scroller.scrollTop = topOf(picture, first)
  } else if (picture.lanes.some(({ open }) => !open)) {
    const first = picture.lanes.find(({ open }) => open)
    if (first !== undefined) scroller.scrollLeft = leftOf(picture, first) * zoom
  }
}

/** Shows a group if it is not on the screen. */
export const scrollToGroup = (
  scroller: HTMLElement | null, picture: Picture | undefined, index: number, zoom: number
): void => {
  const lane = picture?.lanes.find(({ group }) => group.index === index)
  if (scroller === null || picture === undefined || lane === undefined) return
  const [start, end] = [scroller.scrollLeft / zoom, (scroller.scrollLeft + scroller.clientWidth) / zoom]
  if (picture.kind === 'rails') scroller.scrollTo({ top: topOf(picture, lane), behavior: 'smooth' })
  else if (lane.x < start || lane.x + Math.min(lane.width, end - start) > end) {
    scroller.scrollTo({ left: leftOf(picture, lane) * zoom, behavior: 'smooth' })
  }
}
