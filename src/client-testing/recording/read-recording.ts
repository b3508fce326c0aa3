/** Reads a recording or a wire log, and refuses one that is cut, edited, too large or of another version. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import report from '#schemas/report.json' with { type: 'json' }
import { fileFault } from '../../lib/error-code.js'
import { parseObject } from '../../lib/json/json-object.js'
import { lazyValidator } from '../../lib/schema/validator.js'
import { WorkbenchError } from '../exit-codes.js'
import type { SafeExchange } from '../reports/report.js'
import {
  MAX_RECORDED_EXCHANGES, MAX_RECORDING_BYTES, RECORDING_FORMAT, RECORDING_VERSION
} from './write-recording.js'

export interface Recording {
  /** In the order in which the requests arrived. */
  exchanges: SafeExchange[]
  /** What a reader has to know, such as that nothing vouches for the file. */
  notes: string[]
}

const unusable = (file: string, what: string): WorkbenchError =>
  new WorkbenchError('recording-unusable', `${file} ${what}`)

/** Reads a file of `record`, or a log of `--wire-log`. @throws {WorkbenchError} `recording-unusable`, and why */
export const readRecording = async (file: string): Promise<Recording> => {
  const text = await readBounded(file)
  const lines = text.split('\n').slice(0, -1)
  const head = parseObject(lines[0] ?? '')
  if (!head) throw unusable(file, 'is no recording: its first line is no JSON object.')
  if (head['format'] !== RECORDING_FORMAT) return readWireLog(file, lines, text)
  if (head['version'] !== RECORDING_VERSION) {
    throw unusable(file, `is a recording of version ${JSON.stringify(head['version'])}; this program reads version ` +
      `${RECORDING_VERSION}. Record it again.`)
  }
  const last = lines.at(-1) ?? ''
  const end = parseObject(last)
  if (end?.['end'] !== true || !text.endsWith('\n')) {
    throw unusable(file, 'is cut: its last line is not the end of a recording. Record it again.')
  }
  const digest = createHash('sha256').update(text.slice(0, text.length - last.length - 1)).digest('hex')
  if (end['sha256'] !== digest || end['exchanges'] !== lines.length - 2) {
    throw unusable(file, 'was changed after it was recorded: its checksum is another one. Record it again.')
  }
  return { exchanges: exchangesIn(file, lines.slice(1, -1), 2), notes: [] }
}

const readBounded = async (file: string): Promise<string> => {
  try {
    const { size } = await stat(file)
    if (size > MAX_RECORDING_BYTES) {
      throw unusable(file, `is too large: a recording has at most ${MAX_RECORDING_BYTES / 1024 / 1024} MiB.`)
    }
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof WorkbenchError) throw error
    throw unusable(file, `cannot be read${fileFault(error)}.`)
  }
}

/** A log of the server: its lines are exchanges, and nothing vouches for them. */
const readWireLog = (file: string, lines: readonly string[], text: string): Recording => {
  if (!text.endsWith('\n')) throw unusable(file, 'is cut: its last line has no end.')
  return {
    exchanges: exchangesIn(file, lines, 1),
    notes: ['A wire log has no checksum, and shortens bodies of more than 16,384 characters.']
  }
}

const exchangesIn = (file: string, lines: readonly string[], firstLine: number): SafeExchange[] => {
  if (lines.length > MAX_RECORDED_EXCHANGES) {
    throw unusable(file, `has too many exchanges: a recording has at most ${MAX_RECORDED_EXCHANGES}.`)
  }
  const exchanges = lines.map((line, index) => {
    const value = parseObject(line)
    const exchange = value && toExchange(value, index + 1)
    if (!exchange) throw unusable(file, `is no recording: line ${index + firstLine} is no exchange.`)
    return exchange
  })
  return exchanges.sort((one, other) => one.number - other.number)
}

const SHORTENED = /… \(\d+ more characters\)$/

const isExchange = lazyValidator<SafeExchange>(report.$defs.exchange, 'pruning')

const toExchange = (value: object, index: number): SafeExchange | undefined => {
  const checked = isExchange({ number: index, ...value })
  if (!checked.ok || checked.value.status < 100 || checked.value.status > 599) return undefined
  const { reply, events = [] } = checked.value
  const isShortened = [reply, ...events].some((part) => typeof part === 'string' && SHORTENED.test(part))
  return isShortened ? { ...checked.value, truncated: true } : checked.value
}
