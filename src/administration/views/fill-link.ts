/**
 * Puts a secret into an install link. Imports only types: the browser uses it too, so that the secret does not travel
 * again.
 */
import type { LinkTemplate } from '../../agent-setup/registry/agent.js'

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
