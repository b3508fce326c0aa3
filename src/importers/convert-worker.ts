/** The thread that converts the units of all sources that are followed. */
import { serveWorker } from '../lib/async/worker-thread.js'
import { SourceConverter } from './convert-source.js'
import type { Converted, ConvertRequest } from './convert-thread.js'
import { ImportReport } from './report.js'

const converters = new Map<number, { history: number, converter: SourceConverter }>()

serveWorker(async ({ id, history, source, options, unit, files }: ConvertRequest): Promise<Converted> => {
  const known = converters.get(id)
  const converter = known?.history === history ? known.converter : new SourceConverter(source, options)
  converters.set(id, { history, converter })
  const report = new ImportReport()
  // Buffers arrive as plain arrays of bytes.
  const bytes = new Map([...files].map(([path, content]) => [path, Buffer.from(content)]))
  const converted = await converter.convert(unit, report, bytes)
  return { converted, remarks: report.remarks, outcomes: report.outcomes, omitted: report.omitted }
})
