/** Icons of servers, tools, resources and prompts: 2025-11-25 basic/index#icons */

/** An image that clients show beside a name. */
export interface Icon {
  /** An `https:` or `data:` URI. */
  src: string
  mimeType?: string
  /** Such as `48x48`, or `any` for an image that scales; any size when absent. */
  sizes?: readonly string[]
  /** The background that it is made for; any when absent. */
  theme?: 'light' | 'dark'
}
