/** Where the metadata of a protected resource and of an authorization server is found. */

/** The name of RFC 8414 or of OpenID, before the path of the issuer (inserted) or behind it (appended). */
export const METADATA_FORMS = ['inserted OAuth', 'inserted OpenID', 'appended OpenID'] as const
export type MetadataForm = typeof METADATA_FORMS[number]

/** Returns the address of a resource or issuer: the name goes between host and path (RFC 8414, RFC 9728). */
export const wellKnownAddress = (name: string, address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}/.well-known/${name}${pathname.replace(/\/$/, '')}`
}

export const metadataAddress = (issuer: string, form: MetadataForm): string => form === 'appended OpenID'
  ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  : wellKnownAddress(form === 'inserted OAuth' ? 'oauth-authorization-server' : 'openid-configuration', issuer)
