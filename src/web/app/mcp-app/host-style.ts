/** Dresses the view as its host: theme, colours, font, and the room that it has. */
import type { HostContext } from './host-context.js'

/** Own property → the host's property that replaces it. */
const COLOURS: Readonly<Record<string, string>> = {
  '--good': '--color-text-success',
  '--warn': '--color-text-warning',
  '--bad': '--color-text-danger',
  '--info': '--color-text-info'
}
/** Backgrounds and texts of one palette: taken together or not at all, as one alone may be invisible on the other. */
const PALETTE: Readonly<Record<string, string>> = {
  '--surface': '--color-background-primary',
  '--raised': '--color-background-primary',
  '--ground': '--color-background-primary',
  '--sunken': '--color-background-secondary',
  '--ink': '--color-text-primary',
  '--ink-2': '--color-text-secondary'
}
/**
 * Lines and faint texts are mixed from the palette: borders of hosts are made for boxes, not for pictures. Lines let
 * through what is below them, as the second background of a host may be lighter or darker than the first.
 */
const MIXED: Readonly<Record<string, string>> = {
  '--ink-3': 'color-mix(in oklab, var(--ink-2) 88%, var(--surface))',
  '--line': 'color-mix(in oklab, var(--ink) 12%, transparent)',
  '--line-strong': 'color-mix(in oklab, var(--ink) 22%, transparent)',
  '--edge': 'color-mix(in oklab, var(--ink) 48%, var(--surface))',
  '--hover': 'color-mix(in oklab, var(--ink) 6%, transparent)'
}
const REQUIRED = ['--color-background-primary', '--color-text-primary']
/** The height of a view in the flow of a chat, in px: what is higher scrolls inside. */
const MAX_INLINE_HEIGHT = 720
const MIN_INLINE_HEIGHT = 240

const fontSheet = (): HTMLStyleElement => {
  const existing = document.getElementById('host-fonts')
  if (existing instanceof HTMLStyleElement) return existing
  const sheet = Object.assign(document.createElement('style'), { id: 'host-fonts' })
  document.head.append(sheet)
  return sheet
}

/** Applies a context to the document. Values that are no colours are left out. */
export const applyHostStyle = ({ theme, variables, fonts, fixedHeight, maxHeight, insets }: HostContext): void => {
  const root = document.documentElement
  if (theme === undefined) delete root.dataset['theme']
  else root.dataset['theme'] = theme
  root.dataset['height'] = fixedHeight ? 'fixed' : 'content'
  const height = Math.max(MIN_INLINE_HEIGHT, Math.min(maxHeight, MAX_INLINE_HEIGHT))
  root.style.setProperty('--app-height', `${height}px`)
  root.style.setProperty('--app-insets', insets.map((inset) => `${inset}px`).join(' '))
  for (const [name, value] of Object.entries(variables)) root.style.setProperty(name, value)

  const isColour = (name: string): boolean => CSS.supports('color', variables[name] ?? '')
  const set = (name: string, value: string | undefined): void => root.style.setProperty(name, value ?? '')
  const palette = REQUIRED.every(isColour)
  for (const [own, theirs] of Object.entries({ ...PALETTE, ...COLOURS })) {
    set(own, palette && isColour(theirs) ? `var(${theirs})` : undefined)
  }
  for (const [own, value] of Object.entries(MIXED)) set(own, palette ? value : undefined)
  const font = variables['--font-sans'] ?? ''
  set('--sans', CSS.supports('font-family', font) ? font : undefined)
  const sheet = fontSheet()
  if (sheet.textContent !== fonts) sheet.textContent = fonts
}
