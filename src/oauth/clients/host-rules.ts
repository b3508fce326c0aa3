/** Which hosts' applications may connect: the operator's lists. */
import type { Config } from '../../config/config.js'
import type { OAuthClient } from '../../access/oauth/oauth-clients.js'
import { ruleHostOf } from '../../access/oauth/redirect-uri.js'

export interface HostRules {
  /**
   * Whether a client may connect: by the host of its document; one that registered itself by the hosts of its redirect
   * URIs. An operator's own clients always may.
   */
  admits (client: Pick<OAuthClient, 'kind' | 'host' | 'redirectUris'>): boolean
}

/** Creates the rules. A denied host is denied even where another rule allows it. */
export const createHostRules = (
  { oauthAllowedClientHosts: allowed, oauthDeniedClientHosts: denied }: Config
): HostRules => {
  const isAdmitted = (host: string): boolean =>
    !denied.some((rule) => covers(rule, host)) && (allowed.length === 0 || allowed.some((rule) => covers(rule, host)))
  return {
    admits ({ kind, host, redirectUris }) {
      if (kind === 'preregistered') return true
      return host === null ? redirectUris.every((uri) => isAdmitted(ruleHostOf(uri))) : isAdmitted(host)
    }
  }
}

const covers = (rule: string, host: string): boolean =>
  rule.startsWith('*.') ? host.endsWith(rule.slice(1)) : host === rule
