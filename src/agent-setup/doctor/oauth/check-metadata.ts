/** The check `oauth metadata`: the three addresses where clients look for the metadata of the authorization server. */
import { failed, passed, warning, type CheckResult } from '../finding.js'
import { otherOrigin } from './check-challenge.js'
import { missingDocument } from './check-resource.js'
import { metadataAddress, type MetadataForm } from './hosts.js'
import { metadataFault } from './judge-metadata.js'
import type { OAuthProbe } from './oauth-probe.js'

const FORMS: readonly MetadataForm[] = ['inserted OAuth', 'inserted OpenID', 'appended OpenID']

/** Returns the result of the check, with the remedy when it did not pass. */
export const checkMetadata = async (probe: OAuthProbe): Promise<CheckResult> => {
  const issuer = await probe.issuer()
  const problems: Array<{ detail: string, remedy: string }> = []
  for (const form of FORMS) {
    const { pathname } = metadataAddress(issuer, form)
    const { json, ...came } = await probe.metadata(form)
    if (!json) {
      const detail = `${pathname} answers with ${came.description}`
      problems.push({ detail, remedy: missingDocument(pathname, came) })
      continue
    }
    const fault = metadataFault(json, issuer, probe.keys)
    if (fault) {
      const remedy = fault.kind === 'origin' && fault.written
        ? otherOrigin(issuer, fault.written)
        : `Something else answers at ${pathname}, or has changed the document: let the proxy pass it on as it is.`
      problems.push({ detail: `${pathname}: ${fault.detail}`, remedy })
    }
  }
  const [first] = problems
  if (!first) return passed('all three addresses have it')
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return problems.length === FORMS.length
    ? failed(first.detail + others, first.remedy)
    : warning(first.detail + others, first.remedy)
}
