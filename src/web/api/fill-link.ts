/**
 * Puts a secret into an install link. No imports: the browser uses it too, so that the secret does not travel again.
 */

export interface LinkTemplate {
  before: string
  /** JSON with `<secret>` in it. */
  config: string
  /** `base64`: base64 of the UTF-8 text, then percent-encoded; `uri`: percent-encoded. */
  encoding: 'base64' | 'uri'
  after: string
}

/**
 * Returns the link. The secret is escaped as a JSON string, so that no secret can change the rest of the
 * configuration.
 */
export const fillLink = ({ before, config, encoding, after }: LinkTemplate, secret: string): string => {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const withSecret = config.replaceAll('<secret>', () => escaped)
  const text = encoding === 'base64' ? btoa(String.fromCodePoint(...new TextEncoder().encode(withSecret))) : withSecret
  return before + encodeURIComponent(text) + after
}
