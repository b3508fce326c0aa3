/** Which part of a large picture is on the screen, so that only that part is drawn. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { Box } from './layout/picture.js'

// The box grows in steps, so that scrolling does not draw anew at each pixel.
const STEP = 600
const MARGIN = 600
const FIRST: Box = { x: 0, y: 0, width: 2600, height: 2000 }

/** Returns the visible box of `element` in its px before `zoom`, with a margin; undefined unless `enabled`. */
export const useVisibleBox = (element: RefObject<Element | null>, zoom: number, enabled: boolean): Box | undefined => {
  const [box, setBox] = useState(FIRST)
  useLayoutEffect(() => {
    if (!enabled) return undefined
    let frame = 0
    const update = (): void => {
      frame = 0
      if (element.current === null) return
      const { left, top } = element.current.getBoundingClientRect()
      const x = Math.floor((-left / zoom - MARGIN) / STEP) * STEP
      const y = Math.floor((-top / zoom - MARGIN) / STEP) * STEP
      const width = Math.ceil((innerWidth / zoom + 3 * MARGIN) / STEP) * STEP
      const height = Math.ceil((innerHeight / zoom + 3 * MARGIN) / STEP) * STEP
      setBox((before) => before.x === x && before.y === y && before.width === width && before.height === height
        ? before
        : { x, y, width, height })
    }
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(update)
    }
    update()
    addEventListener('scroll', schedule, { capture: true, passive: true })
    addEventListener('resize', schedule)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', schedule, { capture: true })
      removeEventListener('resize', schedule)
    }
  }, [enabled, zoom])
  return enabled ? box : undefined
}
