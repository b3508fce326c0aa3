/** Where applications look for the sign-in of a server, as their makers and reports describe it. */
import { isLoopbackUrl } from '../../../lib/http/loopback.js'
import { METADATA_FORMS, type MetadataForm } from '../../../lib/http/well-known-address.js'

export interface OAuthHost {
  name: string
  /** In this order; the next one after a 404, none after anything else. */
  forms: readonly MetadataForm[]
  /** Fields of the metadata that it does not do without, beyond those of everybody. */
  needs?: ReadonlyArray<'cimd or registration' | 'registration' | 'iss'>
  /** Whether the address in the document about the resource has to be the one that was typed. */
  exactResource?: boolean
}

export const OAUTH_HOSTS: readonly OAuthHost[] = [
  {
    name: 'Claude.ai and Claude Desktop',
    forms: ['appended OpenID', 'inserted OAuth'],
    needs: ['cimd or registration'],
    exactResource: true
  },
  { name: 'Claude Code', forms: METADATA_FORMS, needs: ['cimd or registration'], exactResource: true },
  { name: 'ChatGPT', forms: ['inserted OAuth', 'inserted OpenID'], needs: ['cimd or registration', 'iss'] },
  { name: 'VS Code', forms: METADATA_FORMS, needs: ['cimd or registration'], exactResource: true },
  { name: 'Cursor', forms: METADATA_FORMS, needs: ['registration'] },
  { name: 'Codex', forms: METADATA_FORMS, needs: ['cimd or registration'] },
  { name: 'Gemini CLI', forms: METADATA_FORMS, needs: ['registration', 'iss'] },
  { name: 'opencode', forms: METADATA_FORMS, needs: ['cimd or registration'] },
  { name: 'Copilot CLI', forms: METADATA_FORMS, needs: ['cimd or registration'] }
]

/** The names of this machine are one host. */
export const sameOrigin = (one: URL, other: URL): boolean => one.origin === other.origin ||
  (one.protocol === other.protocol && one.port === other.port && isLoopbackUrl(one) && isLoopbackUrl(other))
