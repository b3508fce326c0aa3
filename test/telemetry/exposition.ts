/** Reads Prometheus' text format: a line that is no sample and no comment fails, and so does a series that is there twice. */
const SAMPLE = /^([a-z_]\w*)(?:\{((?:[a-z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/i

const keyOf = (name: string, labels: readonly string[]): string => `${name} ${[...labels].sort().join()}`

export type Samples = ReturnType<typeof parseExposition>

export const parseExposition = (text: string) => {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) \S+ /.test(line)) continue
    const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? []
    const key = keyOf(name, labels.match(/\w+="(?:[^"\\]|\\.)*"/g) ?? [])
    if (name === '' || samples.has(key)) throw new Error(`no sample, or twice: ${line}`)
    samples.set(key, Number(value))
  }
  return {
    /** How many series there are of such names. */
    series: (prefix: string) => [...samples.keys()].filter((key) => key.startsWith(prefix)).length,
    /** Of the series with just these labels. */
    value: (name: string, labels: Readonly<Record<string, string>>) =>
      samples.get(keyOf(name, Object.entries(labels).map(([label, value]) => `${label}="${value}"`)))
  }
}
