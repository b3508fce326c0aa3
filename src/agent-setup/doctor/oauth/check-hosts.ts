/** The check `oauth hosts`: which applications find the sign-in, as their makers and reports describe their ways. */
import { failed, passed, type CheckResult } from '../finding.js'
import { METADATA_FORMS, metadataAddress, type MetadataForm } from '../../../lib/http/well-known-address.js'
import { listed, metadataFault } from './check-resource.js'
import type { OAuthProbe } from './oauth-probe.js'

interface OAuthHost {
  name: string
  /** In this order; the next one after a 404, none after anything else. All of them when absent. */
  forms?: readonly MetadataForm[]
  /** Fields of the metadata that it does not do without, beyond those of everybody. */
  needs?: ReadonlyArray<'cimd or registration' | 'registration' | 'iss'>
  /** Whether the address in the document about the resource has to be the one that was typed. */
  exactResource?: boolean
}

const OAUTH_HOSTS: readonly OAuthHost[] = [
  { name: 'Claude.ai and Claude Desktop', forms: ['appended OpenID', 'inserted OAuth'], exactResource: true },
  { name: 'Claude Code', exactResource: true },
  { name: 'ChatGPT', forms: ['inserted OAuth', 'inserted OpenID'], needs: ['cimd or registration', 'iss'] },
  { name: 'VS Code', exactResource: true },
  { name: 'Cursor', needs: ['registration'] },
  { name: 'Codex' },
  { name: 'Gemini CLI', needs: ['registration', 'iss'] },
  { name: 'opencode' },
  { name: 'Copilot CLI' }
]

export const checkHosts = async (probe: OAuthProbe): Promise<CheckResult> => {
  const lost: Array<{ name: string, reason: string }> = []
  for (const host of OAUTH_HOSTS) {
    const reason = await discoveryFailure(host, probe)
    if (reason !== undefined) lost.push({ name: host.name, reason })
  }
  const [first] = lost
  if (!first) return passed(`found by ${OAUTH_HOSTS.map(({ name }) => name).join(', ')}`)
  return failed(`not found by ${lost.map(({ name }) => name).join(', ')}: ${first.reason}`,
    'Mend what the checks above found; then these applications find it too.')
}

/** Follows the way of one host: on after a client error, no further after anything else. */
const discoveryFailure = async (
  { forms = METADATA_FORMS, needs = ['cimd or registration'], exactResource = false }: OAuthHost, probe: OAuthProbe
): Promise<string | undefined> => {
  const { json: resource, description } = await probe.resource()
  if (!resource) return `the document about the resource is ${description}`
  const { href } = probe.url
  if (exactResource && resource['resource'] !== href && resource['resource'] !== href.replace(/\/$/, '')) {
    return 'the document about the resource names another address'
  }
  const issuer = await probe.issuer()
  const pathOf = (form: MetadataForm): string => new URL(metadataAddress(issuer.href, form)).pathname
  for (const form of forms) {
    const { status, json, description: response } = await probe.metadata(form)
    if (status >= 400 && status < 500) continue
    if (!json) return `${pathOf(form)} is ${response}`
    const lacks = needs.map((need) => lacking(json, need)).find((lack) => lack !== undefined)
    return metadataFault(json, issuer, probe.keys)?.detail ?? lacks
  }
  return `there is nothing at ${forms.map(pathOf).join(', ')}`
}

const lacking = (json: Record<string, unknown>, need: NonNullable<OAuthHost['needs']>[number]): string | undefined => {
  const registers = typeof json['registration_endpoint'] === 'string'
  if (need === 'registration') return registers ? undefined : 'the metadata has no registration_endpoint'
  if (need === 'iss') {
    return json['authorization_response_iss_parameter_supported'] === true
      ? undefined
      : 'the metadata does not say that answers carry iss'
  }
  const describes = json['client_id_metadata_document_supported'] === true &&
    listed(json['token_endpoint_auth_methods_supported'], 'none')
  return registers || describes ? undefined : 'the metadata has no way for an application to introduce itself'
}
