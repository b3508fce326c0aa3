/** Writes an answer where its question stands: below the entry of a section of questions, or into the mark. */
import { oneLine, parseMarkdown } from '../markdown/blocks.js'
import { clarificationMarks } from '../markdown/clarification-marks.js'
import { splitFrontMatter } from '../markdown/front-matter.js'
import { questionSections } from '../markdown/questions.js'
import { ImportReport } from '../report.js'
import { decodeText } from '../source/decode-text.js'
import type { QuestionDraft } from '../types.js'
import { answer } from './checkbox.js'
import { fileText, type Edit, type FileText } from './file-text.js'

/** Undefined when the document does not ask this, or has no place for an answer. */
export const answerIn = (bytes: Buffer, asked: { question: string, answer: string }): Edit | undefined => {
  const file = fileText(bytes)
  const report = new ImportReport()
  const { body, bodyLine } = splitFrontMatter(decodeText(bytes).text, '', report)
  const document = parseMarkdown(body, bodyLine)
  const lineIn = (found: readonly QuestionDraft[]): number | undefined =>
    found.find(({ question }) => question === asked.question)?.line
  const marked = lineIn(clarificationMarks({ path: '', ...document }, report))
  const listed = lineIn(questionSections(document))
  if (file && marked !== undefined) return closeMark(file, marked, asked)
  return file && listed !== undefined ? answer(file, listed, asked.answer) : undefined
}

/** `[NEEDS CLARIFICATION: question]` becomes `[CLARIFIED: question → answer]`. */
const closeMark = (
  file: FileText, line: number, asked: { question: string, answer: string }
): Edit | undefined => {
  const [question, end] = [asked.question, ` → ${oneLine(asked.answer)}]`].map((text) => file.inserted(text))
  if (question === undefined || end === undefined) return undefined
  const words = question.split(' ').map((word) => word.replaceAll(/[^\w]/g, String.raw`\$&`))
  const mark = new RegExp(String.raw`\[NEEDS CLARIFICATION:(\s*${words.join(String.raw`\s+`)})\s*\]`, 'gi')
  mark.lastIndex = file.lines[line - 1]?.at ?? 0
  const found = mark.exec(file.text)
  return found ? { at: found.index, length: found[0].length, text: `[CLARIFIED:${found[1]}${end}` } : undefined
}
