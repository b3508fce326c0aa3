/** Keeps what a person looks at where it is on the screen while the picture around it is laid out anew. */
import { targetKey, type Box, type Picture, type Target } from './layout/picture.js'
import type { PlanModel } from './plan-model.js'

/** Something of a picture, and where its middle was in the window, in px. */
export interface HeldPlace { target: Target, x: number, y: number }

/** What stays where it is: the middle of a card, the beginning of a head, which grows when its group opens. */
const pointOf = ({ x, y, width, height }: Box): { x: number, y: number } =>
  ({ x: x + Math.min(width, 120) / 2, y: y + height / 2 })

const boxes = ({ cards, gates, lanes }: Picture): Array<readonly [Target, Box]> => [
  ...cards.map((card) => [{ type: 'item', index: card.item.index }, card] as const),
  ...gates.map((mark) => [{ type: 'gate', index: mark.gate.index }, mark] as const),
  ...lanes.map((lane) => [{ type: 'group', index: lane.group.index }, lane.head] as const)
]

/** The middle of a target in the window; that of its group where the group is closed. */
const middleOf = (
  picture: Picture, model: PlanModel, target: Target, svg: Element, zoom: number
): { x: number, y: number } | undefined => {
  const key = targetKey(target)
  const box = boxes(picture).find(([one]) => targetKey(one) === key)?.[1] ??
    picture.lanes.find(({ group }) => target.type === 'item' && group === model.items[target.index]?.group)?.head
  if (box === undefined) return undefined
  const { left, top } = svg.getBoundingClientRect()
  const { x, y } = pointOf(box)
  return { x: left + x * zoom, y: top + y * zoom }
}

/**
 * Returns what to hold on to: `preferred` if it is in sight, otherwise what is nearest to the centre of the part of
 * `view` that is in the window.
 */
export const holdPlace = (
  picture: Picture, model: PlanModel, preferred: Target | undefined, svg: Element, view: Element, zoom: number
): HeldPlace | undefined => {
  const rect = view.getBoundingClientRect()
  const [top, bottom] = [Math.max(0, rect.top), Math.min(innerHeight, rect.bottom)]
  const inSight = (place: HeldPlace | undefined): place is HeldPlace => place !== undefined &&
    place.x >= rect.left && place.x <= rect.right && place.y >= top && place.y <= bottom
  const own = preferred && middleOf(picture, model, preferred, svg, zoom)
  const held = own && { target: preferred, ...own }
  if (inSight(held)) return held
  const [centreX, centreY] = [(rect.left + rect.right) / 2, (top + bottom) / 2]
  const origin = svg.getBoundingClientRect()
  let nearest: HeldPlace | undefined
  let best = Infinity
  for (const [target, box] of boxes(picture)) {
    const point = pointOf(box)
    const [x, y] = [origin.left + point.x * zoom, origin.top + point.y * zoom]
    const distance = Math.hypot(x - centreX, y - centreY)
    if (distance >= best) continue
    best = distance
    nearest = { target, x, y }
  }
  return nearest
}

/** Returns what of the list in `root` is at the centre of the window; `id` begins the ids of its items. */
export const holdListed = (root: Element, id: string, model: PlanModel): HeldPlace | undefined => {
  const { left, width } = root.getBoundingClientRect()
  const listed = model.items.find(({ index }) => {
    const box = document.getElementById(`${id}-item-${index}`)?.getBoundingClientRect()
    return box !== undefined && box.bottom > innerHeight / 2
  })
  return listed && { target: { type: 'item', index: listed.index }, x: left + width / 2, y: innerHeight / 2 }
}

/** Scrolls `view`, and the page where that does not suffice, so that what was held is where it was. */
export const restorePlace = (
  { target, x, y }: HeldPlace, picture: Picture, model: PlanModel, svg: Element, view: Element, zoom: number
): void => {
  const difference = (): { left: number, top: number } | undefined => {
    const now = middleOf(picture, model, target, svg, zoom)
    return now && { left: now.x - x, top: now.y - y }
  }
  const first = difference()
  if (first !== undefined) view.scrollBy({ ...first, behavior: 'instant' })
  const rest = difference()
  if (rest !== undefined) scrollBy({ top: rest.top, behavior: 'instant' })
}
