/** An install link into which a page puts a secret; the browser fills it too. */
export interface LinkTemplate {
  before: string
  /** JSON with `<secret>` in it. */
  config: string
  /** `base64`: base64 of the UTF-8 text, then percent-encoded; `uri`: percent-encoded. */
  encoding: 'base64' | 'uri'
  after: string
}
