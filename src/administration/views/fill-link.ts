/** Puts a secret into an install link. Imports types only: the browser does it, so that the secret need not travel. */
import type { LinkTemplate } from '../../agent-setup/registry/agent.js'

/** Escapes the secret as a JSON string, so that it cannot change the rest of the configuration. */
export const fillLink = ({ before, config, encoding, after }: LinkTemplate, secret: string): string => {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const withSecret = config.replaceAll('<secret>', () => escaped)
  const text = encoding === 'base64' ? btoa(String.fromCodePoint(...new TextEncoder().encode(withSecret))) : withSecret
  return before + encodeURIComponent(text) + after
}
