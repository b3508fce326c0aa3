/** Returns the well-known address of a resource or issuer: the name goes between host and path (RFC 8414, RFC 9728). */
export const wellKnownAddress = (name: string, address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`
}
