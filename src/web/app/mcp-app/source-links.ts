/** Finds the addresses in a text that may be opened: those of the web, nothing else. */

const ADDRESS = /https?:\/\/[^\s<>"'`\\^{|}]{1,2000}/gi
const MAX_LINKS = 3

/** Returns the address in its normal form; undefined if it is not http or https, or holds a user name. */
export const webAddress = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? href : undefined
}

export const sourceLinks = (text: string): string[] => {
  const addresses = Array.from(text.slice(0, 50_000).matchAll(ADDRESS), ([address]) => webAddress(withoutEnd(address)))
  return [...new Set(addresses.filter((address) => address !== undefined))].slice(0, MAX_LINKS)
}

/** Without the punctuation of the sentence or the bracket of the markdown link around it. */
const withoutEnd = (address: string): string => {
  const bare = address.replace(/[.,;:!?*_~\]]+$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? withoutEnd(bare.slice(0, -1)) : bare
}

export const linkName = (address: string): string => {
  const { host, pathname } = new URL(address)
  const name = host + (pathname === '/' ? '' : pathname)
  return name.length > 40 ? `${name.slice(0, 39)}…` : name
}
