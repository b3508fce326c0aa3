/** Keeps what a person looks at where it is on the screen while the picture around it is laid out anew. */
import { targetKey, type Box, type Picture, type Target } from './layout/picture.js'
import type { PlanModel } from './plan-model.js'

/** Something of a picture, and where its middle was in the window, in px. */
export interface HeldPlace { target: Target, x: number, y: number }

/** A picture that is drawn in `svg`, of which `view` shows a part. */
export interface Sight { picture: Picture, model: PlanModel, svg: Element, view: Element, zoom: number }

/** Where all stand in the window: the middle of a card, the beginning of a head, which grows when its group opens. */
const placesOf = ({ picture: { cards, gates, lanes }, svg, zoom }: Sight): HeldPlace[] => {
  const { left, top } = svg.getBoundingClientRect()
  const place = (type: Target['type'], { index }: { index: number }, { x, y, width, height }: Box): HeldPlace =>
    ({ target: { type, index }, x: left + (x + Math.min(width, 120) / 2) * zoom, y: top + (y + height / 2) * zoom })
  return [
    ...cards.map((card) => place('item', card.item, card)),
    ...gates.map((mark) => place('gate', mark.gate, mark)),
    ...lanes.map(({ group, head }) => place('group', group, head))
  ]
}

/** Where a target stands; its group where that is closed. */
const find = (sight: Sight, target: Target): HeldPlace | undefined => {
  const places = new Map(placesOf(sight).map((place) => [targetKey(place.target), place]))
  const group = target.type === 'item' ? sight.model.items[target.index]?.group : undefined
  return places.get(targetKey(target)) ?? (group && places.get(targetKey({ type: 'group', index: group.index })))
}

/** `preferred` if it is in sight, otherwise what is nearest to the centre of the part of the view that is seen. */
export const holdPlace = (sight: Sight, preferred: Target | undefined): HeldPlace | undefined => {
  const { left, right, top: start, bottom: end } = sight.view.getBoundingClientRect()
  const [top, bottom] = [Math.max(0, start), Math.min(innerHeight, end)]
  const own = preferred && find(sight, preferred)
  if (own && own.x >= left && own.x <= right && own.y >= top && own.y <= bottom) return { ...own, target: preferred }
  const distance = ({ x, y }: HeldPlace): number => Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2)
  const [first, ...others] = placesOf(sight)
  return first && others.reduce((nearest, place) => distance(place) < distance(nearest) ? place : nearest, first)
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

/** Scrolls the view, and the page where that does not suffice, so that what was held is where it was. */
export const restorePlace = (sight: Sight, { target, x, y }: HeldPlace): void => {
  const first = find(sight, target)
  if (first) sight.view.scrollBy({ left: first.x - x, top: first.y - y, behavior: 'instant' })
  const rest = find(sight, target)
  if (rest) scrollBy({ top: rest.y - y, behavior: 'instant' })
}
