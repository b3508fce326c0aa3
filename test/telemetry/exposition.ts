/** Reads Prometheus' text format, strictly: a line that is no sample and no comment fails. */

export interface Samples {
  names: ReadonlySet<string>
  /** How many series there are of such names. */
  series (prefix: string): number
  /** Of the series with just these labels. */
  value (name: string, labels: Readonly<Record<string, string>>): number | undefined
}

const SAMPLE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/giy

export const parseExposition = (text: string): Samples => {
  const samples = new Map<string, number>()
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) \S+ /.test(line)) continue
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    if (name === undefined) throw new Error(`no sample: ${line}`)
    const pairs = [...labels.matchAll(LABEL)].map(([, label, given]) => [label!, given!])
    if (pairs.map(([label, given]) => `${label}="${given}"`).join(',') !== labels) throw new Error(`no labels: ${labels}`)
    const key = keyOf(name, Object.fromEntries(pairs))
    if (samples.has(key)) throw new Error(`twice: ${key}`)
    samples.set(key, Number(value))
    names.add(name)
  }
  return {
    names,
    series: (prefix) => [...samples.keys()].filter((key) => key.startsWith(prefix)).length,
    value: (name, labels) => samples.get(keyOf(name, labels))
  }
}

const keyOf = (name: string, labels: Readonly<Record<string, string>>): string =>
  `${name} ${JSON.stringify(Object.entries(labels).sort())}`
