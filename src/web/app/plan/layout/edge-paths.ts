/** The lines of the columns layout: where they leave and reach a card, and how they bend. */
import type { Box, Edge } from './picture.js'
import type { Route, Slot } from './slots.js'

const PORT_STEP = 8
const PORT_MARGIN = 10
/** The length of an arrowhead, in px. */
const ARROW = 6

/** How far before a card a line ends: at its arrowhead if it has one. */
export const endGap = (kind: Edge['kind']): number => kind === 'blocks' ? ARROW : 0

type BoxOf = (slot: Slot) => Box

/** The y of the place where a slot and one of its neighbours are connected. */
type PortOf = (slot: Slot, neighbour: Slot) => number

const middle = ({ y, height }: Box): number => y + height / 2

/** Spreads the neighbours of each side over the height of a card, in the order in which they lie. */
export const createPorts = (boxOf: BoxOf): { out: PortOf, in: PortOf } => {
  const side = (neighbours: (slot: Slot) => ReadonlySet<Slot>): PortOf => {
    const portsBySlot = new Map<Slot, Map<Slot, number>>()
    return (slot, neighbour) => {
      const box = boxOf(slot)
      if (slot.node === undefined) return middle(box)
      let ports = portsBySlot.get(slot)
      if (ports === undefined) {
        const others = [...neighbours(slot)].sort((one, other) => middle(boxOf(one)) - middle(boxOf(other)))
        const step = Math.min(PORT_STEP, (box.height - 2 * PORT_MARGIN) / Math.max(1, others.length - 1))
        ports = new Map(others.map((other, at) => [other, middle(box) + (at - (others.length - 1) / 2) * step]))
        portsBySlot.set(slot, ports)
      }
      return ports.get(neighbour) ?? middle(box)
    }
  }
  return { out: side(({ right }) => right), in: side(({ left }) => left) }
}

const round = (value: number): number => Math.round(value * 10) / 10

const curve = (x1: number, y1: number, x2: number, y2: number): string => {
  const half = round((x1 + x2) / 2)
  return `C${half} ${round(y1)} ${half} ${round(y2)} ${round(x2)} ${round(y2)}`
}

type DrawnLine = Pick<Edge, 'path' | 'tip' | 'bounds'>

const around = (xs: readonly number[], ys: readonly number[]): Box => {
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Draws a route. `bottom` is the y below all cards, for ways that found no room between them. */
export const drawRoute = (
  { slots, direction, link }: Route, boxOf: BoxOf, ports: { out: PortOf, in: PortOf }, bottom: number
): DrawnLine => {
  const [first, last] = [slots[0], slots.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('A route has a source and a target.')
  const [source, target] = [boxOf(first), boxOf(last)]
  const gap = endGap(link.kind)
  if (direction === 'forward') return forward(slots, boxOf, ports, gap)
  if (direction === 'sideways') {
    // Out of the right side and back into it.
    const x = source.x + source.width
    const [y1, y2] = [middle(source) + PORT_STEP, middle(target) - PORT_STEP]
    const far = x + 34
    return {
      path: `M${x} ${y1}C${far} ${y1} ${far} ${y2} ${x + gap} ${y2}`,
      tip: { x, y: y2, left: true },
      bounds: around([x, far], [y1, y2])
    }
  }
  if (direction === 'backward') {
    const [x1, x2] = [source.x, target.x + target.width + gap]
    const [y1, y2] = [middle(source) + 2 * PORT_STEP, middle(target) + 2 * PORT_STEP]
    return {
      path: `M${x1} ${y1}${curve(x1, y1, x2, y2)}`,
      tip: { x: x2 - gap, y: y2, left: true },
      bounds: around([x1, x2], [y1, y2])
    }
  }
  const [x1, x2] = [source.x + source.width, target.x - gap]
  const [y1, y2] = [middle(source), middle(target)]
  return {
    path: `M${x1} ${y1}${curve(x1, y1, x1 + 40, bottom)}H${x2 - 40}${curve(x2 - 40, bottom, x2, y2)}`,
    tip: { x: target.x, y: y2, left: false },
    bounds: around([x1, x2], [y1, y2, bottom])
  }
}

const forward = (
  slots: readonly Slot[], boxOf: BoxOf, ports: { out: PortOf, in: PortOf }, gap: number
): DrawnLine => {
  let path = ''
  const ys: number[] = []
  const xs: number[] = []
  for (const [at, slot] of slots.entries()) {
    const next = slots[at + 1]
    if (next === undefined) break
    const [box, to] = [boxOf(slot), boxOf(next)]
    const [x1, y1] = [box.x + box.width, ports.out(slot, next)]
    const [x2, y2] = [to.x - (next.node === undefined ? 0 : gap), ports.in(next, slot)]
    path += `${at === 0 ? 'M' : 'L'}${round(x1)} ${round(y1)}${curve(x1, y1, x2, y2)}`
    xs.push(x1, x2)
    ys.push(y1, y2)
  }
  const [x, y] = [xs.at(-1) ?? 0, ys.at(-1) ?? 0]
  return { path, tip: { x: x + gap, y, left: false }, bounds: around(xs, ys) }
}
