/** Edits lists of checkboxes in markdown: a tick, a task at the end of a group, an answer below a question. */
import type { ItemStatus } from '../../planning/records.js'
import { boxStatus } from '../drafts/statuses.js'
import type { FormatId } from '../types.js'
import type { Edit, FileText } from './file-text.js'

const BOX = /^((?:[ \t>]*(?:[-*+]|\d+[.)])[ \t]+)+\[)([^\]\r\n]{1,4})\](\*?[ \t]*)/

/** A box says whether an item is done, and nothing more that a person would not have to know. */
export const boxSays = (found: ItemStatus, wanted: ItemStatus): boolean =>
  found === wanted || (found !== 'done' && wanted !== 'done' && wanted !== 'todo')

/** Ticks or unticks the box in a line; undefined when there is none. */
export const tick = (
  { text, lines }: FileText, line: number, status: ItemStatus, format: FormatId
): Edit | undefined => {
  const found = lines[line - 1]
  const [, before, mark] = BOX.exec(found?.text ?? '') ?? []
  if (!found || before === undefined || mark === undefined) return undefined
  return { at: found.at + before.length, length: mark.length, text: markOf(status, text, format) }
}

/** As the file writes it. `[~]` and `[-]` are written where the file has them, and Kiro has `[-]` itself. */
const markOf = (status: ItemStatus, text: string, format: FormatId): string => {
  const count = (mark: string): number => text.split(`[${mark}]`).length - 1
  if (status === 'done') return count('X') > count('x') ? 'X' : 'x'
  if (boxStatus('~', format === 'spec-kit' ? 'blocked' : 'in_progress').status !== status) return ' '
  if (count('~') > count('-')) return '~'
  return count('-') > 0 || format === 'kiro' ? '-' : ' '
}

/** Adds a task in the form of the last one of its group, or below it; undefined when that is no line with a box. */
export const addTask = (
  file: FileText, last: { id: string, line: number }, { id, title }: { id: string, title: string }
): Edit | undefined => {
  const line = file.lines[last.line - 1]
  const [box, before = ''] = BOX.exec(line?.text ?? '') ?? []
  if (!line || box === undefined) return undefined
  const [, open = '', , close = ''] = new RegExp(
    String.raw`^([*_\`~[(]*)(${last.id.replaceAll(/[^\w]/g, String.raw`\$&`)})([\])]?[*_\`~]*[.):]?[*_]*[ \t]+)`, 'i'
  ).exec(line.text.slice(box.length)) ?? []
  const isBelow = id.startsWith(`${last.id}.`)
  const number = /(\d+)([.)][ \t]+\[)$/.exec(before)
  const next = number?.[1] === last.id ? id : Number(number?.[1]) + 1
  const nested = isBelow ? `${before.slice(0, -1).replaceAll(/[^ \t>]/g, ' ')}- [` : before
  const marker = number && !isBelow ? `${before.slice(0, number.index)}${next}${number[2]}` : nested
  const text = file.inserted(`${isBelow ? `${id} ` : close && `${open}${id}${close}`}${title.replaceAll(/\s+/g, ' ')}`)
  return text === undefined ? undefined : below(file, last.line, `${marker} ] ${text}`)
}

/** Adds an answer below the entry of a list that asks, changes it or takes it out; undefined when the line is none. */
export const answer = (file: FileText, line: number, said: string, now: string): Edit | undefined => {
  const [marker = ''] = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/.exec(file.lines[line - 1]?.text ?? '') ?? []
  const [old, fresh] = [said, now].map((text) =>
    file.inserted(text && `${marker.replaceAll(/[^ \t]/g, ' ')}- **Answer:** ${text}`))
  if (marker === '' || old === undefined || fresh === undefined) return undefined
  if (old === '') return below(file, line, fresh)
  const last = file.lines[file.lines.findIndex(({ text }, at) => at >= line && text === old) - 1]
  const length = (last?.end.length ?? 0) + old.length
  return last && { at: last.at + last.text.length, length, text: fresh && last.end + fresh }
}

/** Inserts a line after the entry of a list, with all that is indented below it. */
const below = ({ lines }: FileText, line: number, inserted: string): Edit => {
  const depth = (of: string): number => of.search(/[^ \t]|$/)
  const first = lines[line - 1]
  let last = first
  for (const next of lines.slice(line)) {
    if (next.text.trim() === '') continue
    if (depth(next.text) <= depth(first?.text ?? '')) break
    last = next
  }
  const { at = 0, text: end = '', end: lineEnd = '' } = last ?? {}
  const newline = lineEnd || first?.end || lines[0]?.end || '\n'
  return lineEnd === ''
    ? { at: at + end.length, length: 0, text: newline + inserted }
    : { at: at + end.length + lineEnd.length, length: 0, text: inserted + newline }
}
