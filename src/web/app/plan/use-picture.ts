/** The picture of a plan in its frame: its layout for the width, the zoom, and the part that is on the screen. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SavePicture } from './export-picture.js'
import { holdListed, holdPlace, restorePlace, type HeldPlace, type Sight } from './keep-place.js'
import { isStacked, layoutColumns } from './layout/columns-layout.js'
import { targetKey, type Picture, type Target } from './layout/picture.js'
import { layoutRails } from './layout/rails-layout.js'
import type { PlanState } from './plan-state.js'
import { scrollToFirstOpen, scrollToGroup, useFrame } from './use-frame.js'
import { useVisibleBox } from './use-visible-box.js'

/** Below this width, in px, everything stands in one column. */
const NARROW = 720
const MAX_DRAWN_WHOLE = 500
/** The zoom at first: as much of the plan as can be seen with titles that can be read. */
const FIRST_ZOOM = { least: 0.7, most: 1 }

export type DrawnPicture = ReturnType<typeof usePicture>

const weight = ({ cards, edges, lanes }: Picture): number => cards.length + edges.length + lanes.length

/** Lays out the plan inside `root`. `id` begins the ids of what is drawn. Details show once they are `ready`. */
export const usePicture = (
  id: string, { model, open, active, mode, filter }: PlanState, root: RefObject<HTMLElement | null>, ready: boolean
) => {
  const scroller = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const held = useRef<HeldPlace>(undefined)
  const seen = useRef<HeldPlace>(undefined)
  const [zoom, setZoom] = useState<number>()
  const [whole, setWhole] = useState<(svg: SVGSVGElement) => void>()
  const [width, measures] = useFrame(root, () => { held.current = seen.current })

  const narrow = width !== undefined && width < NARROW
  const stacked = useMemo(() => isStacked(model.groups, (width ?? 0) / FIRST_ZOOM.least), [model, width])
  const picture = useMemo(
    () => width === undefined
      ? undefined
      : narrow ? layoutRails(model, open, width) : layoutColumns(model, open, stacked),
    [model, open, narrow, narrow ? width : 0, width === undefined, stacked]
  )
  const scale = narrow ? 1 : zoom ?? 1
  const visible = useVisibleBox(
    svg, scale, whole === undefined && picture !== undefined && weight(picture) > MAX_DRAWN_WHOLE
  )

  const sight = (): Sight | undefined => picture && svg.current && scroller.current
    ? { picture, model, svg: svg.current, view: scroller.current, zoom: scale }
    : undefined
  const place = (target: Target | undefined = active): HeldPlace | undefined => {
    if (mode === 'list') return root.current ? holdListed(root.current, id, model) : undefined
    const seenNow = sight()
    return seenNow && holdPlace(seenNow, target)
  }
  const hold = (target?: Target): void => { held.current = place(target) }
  const fitting = (): number => {
    const view = scroller.current
    if (picture === undefined || view === null) return 1
    return Math.min(view.clientWidth / picture.width, view.clientHeight / picture.height)
  }

  const isDrawn = picture !== undefined && mode === 'picture'
  useLayoutEffect(() => {
    if (!isDrawn) return
    if (zoom === undefined) setZoom(Math.max(FIRST_ZOOM.least, Math.min(FIRST_ZOOM.most, fitting())))
    else if (active === undefined) scrollToFirstOpen(scroller.current, picture, scale)
  }, [isDrawn, zoom === undefined])
  useLayoutEffect(() => {
    const kept = held.current
    held.current = undefined
    if (kept === undefined || picture === undefined) return
    const listed = mode === 'list' ? document.getElementById(`${id}-${targetKey(kept.target)}`) : null
    listed?.scrollIntoView({ block: 'center' })
    const seenNow = sight()
    if (seenNow) restorePlace(seenNow, kept)
  }, [picture, scale, mode])
  // When a window gets another size, what was seen in it has moved before anybody is told.
  useEffect(() => {
    let frame = 0
    const look = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => { if (root.current?.clientWidth === width) seen.current = place() })
    }
    look()
    addEventListener('scroll', look, { capture: true, passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', look, { capture: true })
    }
  })
  // What a filter brings forward may lie far away.
  useEffect(() => {
    const first = filter?.items[0]
    if (first !== undefined) scrollToGroup(scroller.current, picture, first.group.index, scale)
  }, [filter?.value])
  useEffect(() => {
    if (active !== undefined) reveal(root.current, `${id}-${targetKey(active)}`)
  }, [active && targetKey(active), mode, isDrawn, zoom === undefined, ready])
  // A file holds the whole picture: it is drawn whole first, then written.
  useLayoutEffect(() => {
    if (whole === undefined || svg.current === null) return
    whole(svg.current)
    setWhole(undefined)
  }, [whole])

  const change = (next: number): void => {
    hold()
    setZoom(next)
  }
  return {
    /** Undefined before the frame is in the document, like `measures`. */
    picture,
    measures,
    zoom: scale,
    setZoom: change,
    fit: () => change(Math.min(1, fitting())),
    visible,
    svg,
    scroller,
    /** Keeps what is looked at where it is through the next change; `target` is what the change is about. */
    hold,
    save: (write: SavePicture, format: 'svg' | 'png', title: string): void =>
      setWhole(() => (element: SVGSVGElement) => write(element, format, title, root.current ?? element))
  }
}

/** Scrolls to an element; where the details lie over it, it comes to stand above them. */
const reveal = (root: HTMLElement | null, id: string): void => {
  const element = document.getElementById(id)
  if (element === null) return
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const details = root?.querySelector('.plan-details')
  const hidden = details ? element.getBoundingClientRect().bottom + 8 - details.getBoundingClientRect().top : 0
  if (hidden > 0) scrollBy({ top: hidden })
}
