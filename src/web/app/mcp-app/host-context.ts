/** What the host says of itself: what it can do for the view, and how much room and which theme the view has. */
import type { JsonObject } from '../../../lib/json/json-object.js'
import { countOf, isObject, objectOf, textOf, textsOf } from './json-values.js'

export interface HostAbilities {
  /** Calls tools of the server for the view. */
  tools: boolean
  /** Opens addresses outside the view. */
  links: boolean
  /** Puts a message into the chat. */
  messages: boolean
}

export interface HostContext {
  theme: 'light' | 'dark' | undefined
  /** Custom properties by the names of the extension, such as `--color-text-primary`. */
  variables: Readonly<Record<string, string>>
  /** A style sheet with font faces. */
  fonts: string
  displayMode: string
  displayModes: readonly string[]
  /** Whether the view fills the room that it has. In the flow of the chat it has the height that it asks for. */
  fixedHeight: boolean
  /** In px, in the flow of the chat; undefined without a limit. */
  maxHeight: number | undefined
  maxWidth: number | undefined
  /** In px: top, right, bottom, left. */
  insets: readonly [number, number, number, number]
}

const MAX_FONTS_LENGTH = 200_000
const MIN_FIXED_HEIGHT = 400

/** Reads the abilities out of the answer to `ui/initialize`. Without any word of abilities, tools are tried. */
export const readAbilities = ({ hostCapabilities }: JsonObject): HostAbilities => {
  const { serverTools, openLinks, message } = objectOf(hostCapabilities)
  return {
    tools: isObject(serverTools) || !isObject(hostCapabilities),
    links: isObject(openLinks),
    messages: isObject(message)
  }
}

/** Reads the whole context: the host's changes are merged into the raw value before. */
export const readContext = (raw: JsonObject): HostContext => {
  const { theme, styles, displayMode, availableDisplayModes, containerDimensions, safeAreaInsets } = raw
  const { variables, css } = objectOf(styles)
  const dimensions = objectOf(containerDimensions)
  const { top, right, bottom, left } = objectOf(safeAreaInsets)
  const mode = textOf(displayMode, 'inline')
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    variables: Object.fromEntries(Object.entries(objectOf(variables)).flatMap(([name, value]) =>
      /^--[\w-]{1,60}$/.test(name) && typeof value === 'string' ? [[name, value]] : [])),
    fonts: textOf(objectOf(css)['fonts']).slice(0, MAX_FONTS_LENGTH),
    displayMode: mode,
    displayModes: textsOf(availableDisplayModes),
    fixedHeight: mode !== 'inline',
    maxHeight: countOf(dimensions['maxHeight'], realHeight(dimensions['height'])),
    maxWidth: countOf(dimensions['maxWidth'], undefined),
    insets: [countOf(top, 0), countOf(right, 0), countOf(bottom, 0), countOf(left, 0)]
  }
}

/** A fixed height is a limit, but not a small one: some hosts send the height that the frame has before it is drawn. */
const realHeight = (height: unknown): number | undefined => {
  const count = countOf(height, 0)
  return count >= MIN_FIXED_HEIGHT ? count : undefined
}
