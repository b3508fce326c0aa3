/** Cookies of one site, by path, as a browser keeps them. */

export class CookieJar {
  private readonly cookies = new Map<string, { value: string, path: string }>()

  /** Takes the Set-Cookie headers of a reply. */
  store (url: URL, headers: readonly string[]): void {
    for (const header of headers) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? url.pathname
      if (value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.cookies.delete(name)
      else this.cookies.set(name, { value, path })
    }
  }

  /** The Cookie header of a request. */
  header ({ pathname }: URL): string {
    return [...this.cookies].filter(([, { path }]) => pathname.startsWith(path)).map(([name, { value }]) => `${name}=${value}`).join('; ')
  }
}
