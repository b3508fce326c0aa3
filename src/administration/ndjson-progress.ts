/** Streams the progress of long work: one JSON line per step; the last line is its summary or a problem. */
import { PassThrough } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { Refusal } from '../lib/errors.js'
import { problem, type Problem } from '../http/problem.js'
import type { ImportProgress } from './ports.js'

export type NdjsonLine<Summary> = { progress: ImportProgress } | { summary: Summary } | { problem: Problem }

/**
 * Starts `work` and returns its lines. Progress is skipped while the reader is slow. `last` gets the last line and
 * must end the stream with it; errors other than a `Refusal` are logged.
 */
export const ndjsonProgress = <Summary>(
  work: (onProgress: (progress: ImportProgress) => void) => Promise<Summary>,
  { id, log }: { id: string, log: FastifyBaseLogger },
  last: (lines: PassThrough, line: string) => void = (lines, line) => { lines.end(line) }
): PassThrough => {
  const lines = new PassThrough()
  const encode = (line: NdjsonLine<Summary>): string => `${JSON.stringify(line)}\n`
  work((progress) => { if (!lines.writableNeedDrain) lines.write(encode({ progress })) })
    .then((summary) => encode({ summary }), (error: unknown) => {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'work failed')
      return encode({ problem: problem(error, id) })
    })
    .then((line) => { last(lines, line) })
    .catch((error: unknown) => { lines.destroy(error instanceof Error ? error : undefined) })
  return lines
}
