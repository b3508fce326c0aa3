/** Writes a report to the files that `--report FORMAT=FILE` names. */
import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unwritable } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { escapeInvisible } from '../../lib/text/invisible.js'
import { WorkbenchError } from '../exit-codes.js'
import { toBadge } from './badge.js'
import { toHtml } from './html.js'
import { toJunit } from './junit.js'
import { toMarkdown } from './markdown.js'
import type { Report } from './report.js'
import { toSarif } from './sarif.js'

/** Control and invisible characters are escaped. */
export const toJson = (report: Report): string =>
  `${JSON.stringify(report, undefined, 2).split('\n').map(escapeInvisible).join('\n')}\n`

const FORMATS =
  { junit: toJunit, sarif: toSarif, html: toHtml, json: toJson, markdown: toMarkdown, badge: toBadge } as const

interface ReportFile {
  format: keyof typeof FORMATS
  file: string
}

const isFormat = (name: string): name is ReportFile['format'] => Object.hasOwn(FORMATS, name)

/** @throws {WorkbenchError} `usage`: an unknown format, a file named twice, a folder that cannot be written to */
export const parseReportFiles = async (options: readonly string[]): Promise<ReportFile[]> => {
  const files = options.map((option) => {
    const [, format = '', file = ''] = /^([a-z]+)=(.+)$/s.exec(option) ?? []
    if (!isFormat(format)) {
      const formats = Object.keys(FORMATS).join(', ')
      throw new WorkbenchError('usage', `--report takes FORMAT=FILE. Formats: ${formats}.`)
    }
    return { format, file }
  })
  for (const { file } of files) {
    if (files.filter((other) => other.file === file).length > 1) {
      throw new WorkbenchError('usage', `Two reports would be written to ${file}.`)
    }
    await access(dirname(file), constants.W_OK).catch(() => {
      throw new WorkbenchError('usage', `The folder of ${file} is not there, or cannot be written to.`)
    })
  }
  return files
}

/** @throws {Refusal} naming the file that cannot be written */
export const writeReports = async (report: Report, files: readonly ReportFile[]): Promise<void> => {
  for (const { format, file } of files) {
    await writeFile(file, FORMATS[format](report)).catch((error: unknown) => {
      throw new Refusal(unwritable(file, error))
    })
  }
}
