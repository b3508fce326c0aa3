/** A browser and its system in words, from its User-Agent: `Chrome on Linux`. */

// In the order in which they have to be looked for: Edge says that it is Chrome, which says that it is Safari.
const BROWSERS = ['Edg/', 'OPR/', 'Firefox', 'Chrom', 'Safari']
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Mac', 'Windows', 'CrOS', 'Linux', 'X11']
const NAMES = new Map(Object.entries({
  'Edg/': 'Edge', 'OPR/': 'Opera', Chrom: 'Chrome', CrOS: 'ChromeOS', X11: 'Linux'
}))

export const describeBrowser = (userAgent: string | null): string => [BROWSERS, SYSTEMS]
  .flatMap((signs) => signs.find((sign) => userAgent?.includes(sign)) ?? [])
  .map((sign) => NAMES.get(sign) ?? sign).join(' on ') || 'Unknown browser'
