/** Sends a file of records and reports how far the server is, as it says line by line. */
import type { FromSchema } from 'json-schema-to-ts'
import type importLine from '#schemas/web/import_line.json'
import { readProblem, RequestError } from '../../api/problem.js'
import { API_PREFIX } from '../../api/request.js'
import { BASE_PATH } from '../../lib/base-path.js'

export type ImportLine = FromSchema<typeof importLine>
export type ImportLineSummary = NonNullable<ImportLine['summary']>
export type ImportLineProgress = NonNullable<ImportLine['progress']>

const UNFINISHED =
  'The connection ended before the import did. Reload the page to see what is there, then import the file again.'

/**
 * Imports a file (NDJSON, or that gzipped).
 * @param onProgress - called for each line of progress
 * @throws {RequestError} with a sentence to show, when the server refused or stopped
 */
export const importFile = async (
  file: File, onProgress: (progress: ImportLineProgress) => void, signal: AbortSignal
): Promise<ImportLineSummary> => {
  const response = await fetch(`${BASE_PATH}${API_PREFIX}/imports`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      'content-type': file.name.endsWith('.gz') ? 'application/gzip' : 'application/x-ndjson',
      'x-exploration-mcp': 'web'
    },
    body: file,
    signal
  })
  if (!response.ok || response.body === null) throw await readProblem(response)
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const summary = takeLine(line, onProgress)
      if (summary !== undefined) return summary
    }
  }
  const summary = takeLine(rest, onProgress)
  if (summary === undefined) throw new RequestError(UNFINISHED, 0)
  return summary
}

const takeLine = (line: string, onProgress: (progress: ImportLineProgress) => void): ImportLineSummary | undefined => {
  if (line.trim() === '') return undefined
  const { progress, summary, problem }: ImportLine = JSON.parse(line)
  if (problem !== undefined) throw new RequestError(problem.detail, problem.status)
  if (progress !== undefined) onProgress(progress)
  return summary
}
