/** Finds the marks `[NEEDS CLARIFICATION: …]` of spec-kit and its descendants, and those that have an answer. */
import type { ImportReport } from '../report.js'
import type { QuestionDraft } from '../types.js'
import { oneLine, type Block } from './blocks.js'
import type { MarkdownFile } from './markdown-file.js'
import { plainText } from './title.js'

const MARK = /\[(?:NEEDS CLARIFICATION|(CLARIFIED)):/gi
/** The bound for a mark without an end; a question has at most 20,000 characters. */
const MAX_MARK_LENGTH = 20_100
const MAX_MARKS = 1000
export const TEMPLATE_QUESTION = /^(?:specific question|your question|question|\.\.\.|…)$/i
/** Whole sentences of the template of spec-kit: a team may use the same words in its own. */
const TEMPLATE_SENTENCE = new RegExp(
  String.raw`System MUST (?:authenticate users via \[NEEDS CLARIFICATION: auth method not specified|` +
  String.raw`retain user data for \[NEEDS CLARIFICATION: retention period not specified)\b`,
  'i'
)
/** The template says so how to mark what is unclear. */
const GUIDANCE = /\bUse \[NEEDS CLARIFICATION: (?:specific|your) question\]/i

/**
 * The questions in the marks, each with its heading as section. `[CLARIFIED: question → answer]` is what becomes of one
 * that is answered here. Marks in code spans do not count; those with the text of a template are reported.
 */
export const clarificationMarks = (
  { path, blocks }: Pick<MarkdownFile, 'path' | 'blocks'>, report: ImportReport
): QuestionDraft[] => {
  const found: QuestionDraft[] = []
  let heading = ''
  for (const block of blocks) {
    if (block.kind === 'heading') heading = plainText(block.text)
    for (const { text, line } of textsOf(block)) {
      const requirement = /\b((?:FR|NFR|SC|AC|REQ)-\d+[a-z]?)\b/.exec(text)?.[1]
      const isTemplate = TEMPLATE_SENTENCE.test(text)
      for (const { question, answer } of marksIn(text)) {
        if (isTemplate || TEMPLATE_QUESTION.test(question)) {
          const message = `[NEEDS CLARIFICATION: ${question}] was left out: it is the text of a template`
          if (GUIDANCE.test(text)) report.note(path, message, line)
          else report.problem(path, message, line)
          continue
        }
        found.push({ question, answer, section: [heading, requirement].filter(Boolean).join(', ') || undefined, line })
      }
    }
  }
  return found
}

/** The raw texts of a block, with their lines: of a table the text of each cell. */
export const textsOf = (block: Block): Array<{ text: string; line: number }> =>
  block.kind === 'table'
    ? block.rows.flatMap(({ cells, line }) => cells.map((text) => ({ text, line })))
    : [{ text: block.text, line: block.line }]

const marksIn = (text: string): Array<Pick<QuestionDraft, 'question' | 'answer'>> => {
  const found: Array<Pick<QuestionDraft, 'question' | 'answer'>> = []
  let ticks = 0
  let counted = 0
  let end = 0
  for (const { index: start, 0: mark, 1: clarified } of text.matchAll(MARK)) {
    for (; counted < start; counted++) if (text[counted] === '`') ticks++
    // A mark in a code span is mentioned, not set; one within another is a part of its question.
    if (ticks % 2 === 1 || start < end) continue
    let depth = 1
    end = start + 1
    const last = Math.min(text.length, start + MAX_MARK_LENGTH)
    for (; end < last && depth > 0; end++) {
      if (text[end] === '[') depth++
      if (text[end] === ']') depth--
    }
    const inside = oneLine(text.slice(start + mark.length, depth === 0 ? end - 1 : end))
    const [, question, answer] = (clarified === undefined ? /^(.+)$/ : /^(.+?) → (.+)$/).exec(inside) ?? []
    if (question !== undefined) found.push({ question, answer })
    // The limit of an exploration.
    if (found.length >= MAX_MARKS) break
  }
  return found
}
