/** What the host says of itself: what it can do for the view, and how much room and which theme the view has. */
import type { JsonObject } from '../../../lib/json/json-object.js'
import { fit, isObject, objectOf, oneOf } from './json-values.js'

export type HostAbilities = ReturnType<typeof readAbilities>
export type HostContext = ReturnType<typeof readContext>

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
export const readAbilities = ({ hostCapabilities }: JsonObject) => {
  const { serverTools, openLinks, message } = objectOf(hostCapabilities)
  return {
    tools: isObject(serverTools) || !isObject(hostCapabilities),
    links: isObject(openLinks),
    messages: isObject(message)
  }
}

/** Reads the whole context: the host's changes are merged into the raw value before. */
export const readContext = (raw: JsonObject) => {
  const {
    theme, styles: { css: { fonts } }, displayMode, availableDisplayModes, containerDimensions, safeAreaInsets
  } = fit(raw, CONTEXT)
  const { maxHeight, height, maxWidth } = containerDimensions
  const { top, right, bottom, left } = safeAreaInsets
  return {
    theme: theme === 'system' ? undefined : theme,
    /** Custom properties by the names of the extension, such as `--color-text-primary`. */
    variables: Object.fromEntries(Object.entries(objectOf(objectOf(raw['styles'])['variables'])).filter(
      (entry): entry is [string, string] => /^--[\w-]{1,60}$/.test(entry[0]) && typeof entry[1] === 'string')),
    /** A style sheet with font faces. */
    fonts: fonts.slice(0, MAX_FONTS_LENGTH),
    displayMode,
    displayModes: availableDisplayModes,
    /** Whether the view fills the room that it has. In the flow of the chat it has the height that it asks for. */
    fixedHeight: displayMode !== 'inline',
    /** In px, in the flow of the chat; infinite without a limit. */
    // A fixed height is a limit, but not a small one: some hosts send the height that the frame has before it is drawn.
    maxHeight: maxHeight < Infinity || height < MIN_FIXED_HEIGHT ? maxHeight : height,
    maxWidth,
    /** In px. */
    insets: [top, right, bottom, left]
  }
}
