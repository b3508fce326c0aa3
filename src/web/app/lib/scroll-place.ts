/** *Back* leads to where a page was scrolled to: the browser would look for that place before the page is drawn. */
const places = new Map<string, number>()
let wanted: number | undefined

/** Call it when another page is drawn. */
export const restoreScroll = (): void => {
  const top = wanted
  wanted = undefined
  if (top !== undefined) requestAnimationFrame(() => scrollTo({ top, behavior: 'instant' }))
}

if (typeof history !== 'undefined') {
  history.scrollRestoration = 'manual'
  let drawn = location.href
  addEventListener('popstate', () => { wanted = places.get(location.href) ?? 0 }, { capture: true })
  addEventListener('scroll', () => {
    // While a page goes, what is left of it moves: that is no place of the next one.
    if (wanted === undefined && drawn === location.href) places.set(drawn, scrollY)
    drawn = location.href
  }, { passive: true })
}
