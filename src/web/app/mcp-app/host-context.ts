/** What the host says of itself: what it can do for the view, and how much room and which theme the view has. */
import type { JsonObject } from '../../../lib/json/json-object.js'
import { fit, isObject, objectOf, oneOf } from './json-values.js'

export interface HostAbilities {
  tools: boolean
  links: boolean
  messages: boolean
}

export interface HostContext {
  theme: 'light' | 'dark' | undefined
  /** Custom properties by the names of the extension, such as `--color-text-primary`. */
  variables: Readonly<Record<string, string>>
  fonts: string
  displayMode: string
  displayModes: readonly string[]
  /** Whether the view fills the room that it has. In the flow of the chat it has the height that it asks for. */
  fixedHeight: boolean
  /** In px, in the flow of the chat; infinite without a limit. */
  maxHeight: number
  maxWidth: number
  /** In px: top, right, bottom, left. */
  insets: readonly [number, number, number, number]
}

const MAX_FONTS_LENGTH = 200_000
const MIN_FIXED_HEIGHT = 400

const CONTEXT = {
  theme: oneOf('system', 'light', 'dark'),
  styles: { css: { fonts: '' } },
  displayMode: 'inline',
  availableDisplayModes: [''],
  containerDimensions: { maxHeight: Infinity, height: Infinity, maxWidth: Infinity },
  safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 }
}

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
  const {
    theme, styles: { css: { fonts } }, displayMode, availableDisplayModes, containerDimensions, safeAreaInsets
  } = fit(raw, CONTEXT)
  const { maxHeight, height, maxWidth } = containerDimensions
  const { top, right, bottom, left } = safeAreaInsets
  return {
    theme: theme === 'system' ? undefined : theme,
    variables: Object.fromEntries(Object.entries(objectOf(objectOf(raw['styles'])['variables'])).flatMap(
      ([name, value]) => /^--[\w-]{1,60}$/.test(name) && typeof value === 'string' ? [[name, value]] : [])),
    fonts: fonts.slice(0, MAX_FONTS_LENGTH),
    displayMode,
    displayModes: availableDisplayModes,
    fixedHeight: displayMode !== 'inline',
    // A fixed height is a limit, but not a small one: some hosts send the height that the frame has before it is drawn.
    maxHeight: maxHeight < Infinity || height < MIN_FIXED_HEIGHT ? maxHeight : height,
    maxWidth,
    insets: [top, right, bottom, left]
  }
}
