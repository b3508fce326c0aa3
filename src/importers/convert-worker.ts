/** The thread that converts the units of one source. */
import { workerData } from 'node:worker_threads'
import { serveWorker } from '../lib/async/worker-thread.js'
import { SourceConverter } from './convert-source.js'
import type { ConvertData, Converted, ConvertRequest } from './convert-thread.js'
import { ImportReport } from './report.js'

let converter: SourceConverter | undefined

serveWorker(async ({ unit, files }: ConvertRequest): Promise<Converted> => {
  const { source, options } = workerData as ConvertData
  converter ??= new SourceConverter(source, options)
  const report = new ImportReport()
  // Buffers arrive as plain arrays of bytes.
  const bytes = new Map([...files].map(([path, content]) => [path, Buffer.from(content)]))
  const converted = await converter.convert(unit, report, bytes)
  return { converted, remarks: report.remarks, outcomes: report.outcomes, omitted: report.omitted }
})
