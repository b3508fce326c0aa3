/**
 * Views (MCP Apps, SEP-1865): a host shows the results of a tool to people in an HTML page that the server offers as a
 * resource. Only clients that declare the extension learn of views; all others get what they would get without.
 */
import { declaredExtension } from '../client-info.js'

export const VIEWS = 'io.modelcontextprotocol/ui'

/** The media type of a view's HTML document. */
export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app'

/** The view in which a host shows the results of a tool. */
export interface ToolView {
  /** The URI of the resource that holds the view's HTML document, such as `ui://dice/table`. */
  resourceUri: `ui://${string}`
  /**
   * Who may call the tool: the model, the view (`app`), or both (the default). A tool that is not for the model is not
   * listed for clients that do not declare the extension, because these would offer it to the model.
   */
  visibility?: ReadonlyArray<'model' | 'app'>
}

/** What a view's resource asks of the host that shows it. Everything left out is denied. */
export interface ResourceView {
  /** Origins that the document may reach, by purpose; none by default. */
  csp?: {
    connectDomains?: readonly string[]
    resourceDomains?: readonly string[]
    frameDomains?: readonly string[]
    baseUriDomains?: readonly string[]
  }
  /** Abilities of the browser that the document asks for; the host decides. */
  permissions?: Partial<Record<'camera' | 'microphone' | 'geolocation' | 'clipboardWrite', Record<string, never>>>
  /** An origin of its own for the document, in the form that the host documents. */
  domain?: string
  /** Whether the host draws a border and a background around the document. */
  prefersBorder?: boolean
}

/** Whether a client shows views: it declares the extension, and HTML documents if it says which media types. */
export const acceptsViews = (capabilities: Readonly<Record<string, unknown>>): boolean => {
  const declared = declaredExtension(capabilities, VIEWS)
  if (declared === undefined) return false
  const { mimeTypes } = declared
  return !Array.isArray(mimeTypes) || mimeTypes.includes(VIEW_MIME_TYPE)
}

export const isForModel = ({ visibility }: Pick<ToolView, 'visibility'> = {}): boolean =>
  visibility === undefined || visibility.includes('model')

/** Returns the `_meta` by which a tool names its view, also in the flat form that older hosts read. */
export const toolViewMeta = ({ resourceUri, visibility }: ToolView): Record<string, unknown> => ({
  ui: { resourceUri, ...(visibility && { visibility }) },
  'ui/resourceUri': resourceUri
})
