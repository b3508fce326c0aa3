/** The names of connected applications and other credentials, the same on every page. */

export interface ApplicationOrigin {
  /** The name that the application gives itself. */
  name: string
  /** The host that vouches for it: the one of its client ID metadata document. */
  host?: string | null | undefined
}

/** Returns the name of an application: `claude.ai (Claude)`, or only its own name when no host vouches for it. */
export const applicationName = ({ name, host }: ApplicationOrigin): string => host == null ? name : `${host} (${name})`

/**
 * Returns the name of a credential among others of every kind. A key can have the name of an application, and an
 * application that registered itself can call itself `claude.ai (Claude)`, so the kind is part of it.
 * @param name of a key or token its name, of a connection its `applicationName`
 */
export const credentialLabel = (
  { name, kind, client_kind: clientKind }: { name: string, kind?: string | undefined, client_kind?: string | undefined }
): string => kind !== 'connection'
  ? name
  : `${name} · ${clientKind === 'registered' ? 'unverified application' : 'application'}`
