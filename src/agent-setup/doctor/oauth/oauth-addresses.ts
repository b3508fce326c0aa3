/** Where applications look for the sign-in of a server, as their makers and reports describe it. */
import { isLoopbackUrl } from '../../../lib/http/loopback.js'

/**
 * The addresses of an issuer's metadata: the name of RFC 8414 or of OpenID, put before the path of the issuer
 * (inserted) or behind it (appended).
 */
export type MetadataForm = 'inserted OAuth' | 'inserted OpenID' | 'appended OpenID'

export interface OAuthHost {
  name: string
  /** In this order; the next one after a 404, none after anything else. */
  forms: readonly MetadataForm[]
  /** Fields of the metadata that it does not do without, beyond those of everybody. */
  needs?: ReadonlyArray<'cimd or registration' | 'registration' | 'iss'>
  /** Whether the address in the document about the resource has to be the one that was typed. */
  exactResource?: boolean
}

const SDK = ['inserted OAuth', 'inserted OpenID', 'appended OpenID'] as const

export const OAUTH_HOSTS: readonly OAuthHost[] = [
  {
    name: 'Claude.ai and Claude Desktop',
    forms: ['appended OpenID', 'inserted OAuth'],
    needs: ['cimd or registration'],
    exactResource: true
  },
  { name: 'Claude Code', forms: SDK, needs: ['cimd or registration'], exactResource: true },
  { name: 'ChatGPT', forms: ['inserted OAuth', 'inserted OpenID'], needs: ['cimd or registration', 'iss'] },
  { name: 'VS Code', forms: SDK, needs: ['cimd or registration'], exactResource: true },
  { name: 'Cursor', forms: SDK, needs: ['registration'] },
  { name: 'Codex', forms: SDK, needs: ['cimd or registration'] },
  { name: 'Gemini CLI', forms: SDK, needs: ['registration', 'iss'] },
  { name: 'opencode', forms: SDK, needs: ['cimd or registration'] },
  { name: 'Copilot CLI', forms: SDK, needs: ['cimd or registration'] }
]

/** The address of a form of an issuer's metadata. */
export const metadataAddress = (issuer: URL, form: MetadataForm): URL => {
  const path = issuer.pathname.replace(/\/$/, '')
  const name = form === 'inserted OAuth' ? 'oauth-authorization-server' : 'openid-configuration'
  const place = form === 'appended OpenID' ? `${path}/.well-known/${name}` : `/.well-known/${name}${path}`
  return new URL(place, issuer.origin)
}

/** The address of the document about a resource. */
export const resourceAddress = ({ origin, pathname }: URL): URL =>
  new URL(`/.well-known/oauth-protected-resource${pathname.replace(/\/$/, '')}`, origin)

/** The names of this machine are one host. */
export const sameOrigin = (one: URL, other: URL): boolean => one.origin === other.origin ||
  (one.protocol === other.protocol && one.port === other.port && isLoopbackUrl(one) && isLoopbackUrl(other))
