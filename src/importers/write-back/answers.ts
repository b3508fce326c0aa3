/** Writes an answer where its question stands, and takes it out: below the entry of a section, or in the mark. */
import { parseMarkdown } from '../markdown/blocks.js'
import { clarificationMarks } from '../markdown/clarification-marks.js'
import { splitFrontMatter } from '../markdown/front-matter.js'
import { questionSections } from '../markdown/questions.js'
import { ImportReport } from '../report.js'
import { decodeText } from '../source/decode-text.js'
import type { QuestionDraft } from '../types.js'
import { answer } from './checkbox.js'
import { fileText, type Edit, type FileText } from './file-text.js'
import type { WantedAnswer } from './wanted.js'

/** Undefined when the document does not ask this, or has no place for an answer. */
export const answerIn = (bytes: Buffer, asked: WantedAnswer): Edit | undefined => {
  const file = fileText(bytes)
  const report = new ImportReport()
  const { body, bodyLine } = splitFrontMatter(decodeText(bytes).text, '', report)
  const document = parseMarkdown(body, bodyLine)
  const lineIn = (found: readonly QuestionDraft[]): number | undefined =>
    found.find(({ question }) => question === asked.question)?.line
  const marked = lineIn(clarificationMarks({ path: '', ...document }, report))
  const listed = lineIn(questionSections(document))
  if (file && marked !== undefined) return changeMark(file, marked, asked)
  return file && listed !== undefined ? answer(file, listed, asked.said, asked.answer) : undefined
}

/** `[NEEDS CLARIFICATION: question]` becomes `[CLARIFIED: question → answer]`, or the other way. */
const changeMark = (file: FileText, line: number, { question, said, answer: now }: WantedAnswer): Edit | undefined => {
  const [words, old, fresh] = [question, said && ` → ${said}`, now && ` → ${now}`].map((text) => file.inserted(text))
  if (words === undefined || old === undefined || fresh === undefined) return undefined
  const nameOf = (end: string): string => end === '' ? 'NEEDS CLARIFICATION' : 'CLARIFIED'
  const spaced = words.split(' ').map(escaped).join(String.raw`\s+`)
  const mark = new RegExp(String.raw`\[${nameOf(old)}:(\s*${spaced})${escaped(old)}(\s*\])`, 'gi')
  mark.lastIndex = file.lines[line - 1]?.at ?? 0
  const found = mark.exec(file.text)
  const text = `[${nameOf(fresh)}:${found?.[1]}${fresh}${found?.[2]}`
  return found ? { at: found.index, length: found[0].length, text } : undefined
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`)
