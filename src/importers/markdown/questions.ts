/** Finds open and answered questions in marks, in sections of open questions, and in question-and-answer sessions. */
import { pluralize } from '../../lib/text/text.js'
import { ImportReport } from '../report.js'
import type { QuestionDraft } from '../types.js'
import { oneLine, type Block, type HeadingBlock, type ListItem, type MarkdownDocument, type Table } from './blocks.js'
import { clarificationMarks, TEMPLATE_QUESTION, textsOf } from './clarification-marks.js'
import type { MarkdownFile } from './markdown-file.js'
import { sectionBlocks, titleHeading } from './sections.js'
import { plainText } from './title.js'

const UNFILLED_TEMPLATE = /\[FEATURE(?: NAME)?\]/

/** Documents that are still templates have no questions; what is left out is reported. */
export const documentQuestions = (
  files: ReadonlyArray<MarkdownFile | undefined>, report: ImportReport
): QuestionDraft[] =>
  files.flatMap((file) => {
    if (file === undefined) return []
    const title = titleHeading(file.blocks)
    const isTemplate = UNFILLED_TEMPLATE.test(title?.text ?? '')
    const marks = clarificationMarks(file, isTemplate ? new ImportReport() : report)
    const questions = [...marks, ...questionSections(file)]
    if (!isTemplate) return questions
    if (questions.length > 0) {
      const left = pluralize(questions.length, 'question')
      report.problem(file.path, `${left} left out: the title is still that of the template`, title?.line)
    }
    return []
  })

const OPEN_SECTION = new RegExp(
  String.raw`^(?:[\d.]+\s*)?(?:open|unresolved|outstanding|remaining|pending)\s+(?:design\s+|` +
  String.raw`technical\s+)?questions?\b|^(?:[\d.]+\s*)?(?:未解決の(?:質問|問題|課題)|待解决问题|开放问题)`,
  'i'
)
const CLARIFICATIONS = /^(?:[\d.]+\s*)?clarifications?\b/i
const SESSION = /^session\b/i

/** The questions in the sections "Open Questions" and "Clarifications". */
export const questionSections = ({ blocks }: MarkdownDocument): QuestionDraft[] => {
  const found: QuestionDraft[] = []
  let until = 0
  for (const block of blocks) {
    if (block.kind !== 'heading' || block.line < until) continue
    const open = OPEN_SECTION.test(plainText(block.text))
    if (!open && !CLARIFICATIONS.test(plainText(block.text))) continue
    const inside = sectionBlocks(blocks, block)
    until = (inside.at(-1)?.line ?? block.line) + 1
    found.push(...(open ? openQuestions(inside, plainText(block.text)) : sessions(inside, plainText(block.text))))
  }
  return found
}

/** In a section of clarifications only pairs of question and answer count. */
const sessions = (blocks: readonly Block[], title: string): QuestionDraft[] => {
  const found: QuestionDraft[] = []
  let section = title
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      if (SESSION.test(plainText(block.text))) section = plainText(block.text)
      continue
    }
    if (block.kind === 'table') found.push(...tableQuestions(block, section))
    else if (block.kind !== 'item' || block.parent === undefined) {
      const question = readQuestion(
        block.text,
        block.kind === 'item' ? below(blocks, block) : laterText(blocks, index)
      )
      if (question.labelled) {
        found.push({ question: question.question, answer: question.answer, section, line: block.line })
      }
    }
  }
  return found
}

/** The text of the next block, which may hold the answer. */
const laterText = (blocks: readonly Block[], index: number): string[] => {
  const next = blocks[index + 1]
  return next && (next.kind === 'paragraph' || next.kind === 'item') && ANSWER.test(next.text.trim())
    ? [next.text]
    : []
}

const openQuestions = (blocks: readonly Block[], section: string): QuestionDraft[] => {
  const headings = blocks.filter((block): block is HeadingBlock => block.kind === 'heading')
  const first = headings[0]
  if (first === undefined) return entries(blocks, section)
  const level = Math.min(...headings.map((heading) => heading.level))
  return [
    ...entries(blocks.slice(0, blocks.indexOf(first)), section),
    // Headings below such a section are its entries; the text below each explains or answers it.
    ...headings
      .filter((heading) => heading.level === level)
      .flatMap((heading) => {
        if (GROUPING.test(plainText(heading.text))) {
          return entries(sectionBlocks(blocks, heading), section, RESOLVED.test(plainText(heading.text)))
        }
        const text = sectionBlocks(blocks, heading).flatMap((block) => textsOf(block).map((part) => part.text))
        const { question, answer } = readQuestion(heading.text, text)
        return isNothing(question) ? [] : [{ question: plainText(question), answer, section, line: heading.line }]
      })
  ]
}

/** Headings that sort the questions below them, and those below which all are answered. */
const GROUPING =
  /^(?:[\d.]+\s*)?(?:still |previously |recently )?(?:resolved|answered|closed|decided|open|unresolved|remaining|pending|deferred|(?:non-)?blocking)(?:\s+(?:questions?|items?|issues?))?$/i
const RESOLVED = /\b(?:resolved|answered|closed|decided)\b/i

/** The entries of lists and tables; paragraphs when there are none. */
const entries = (blocks: readonly Block[], section: string, allResolved = false): QuestionDraft[] => {
  const found: QuestionDraft[] = []
  const listed = blocks.some((block) => block.kind === 'item' || block.kind === 'table')
  for (const block of blocks) {
    if (block.kind === 'table') found.push(...tableQuestions(block, section))
    else if (block.kind === 'item' && block.parent === undefined) {
      const { question, answer, resolved } = readQuestion(block.text, below(blocks, block))
      if (isNothing(question)) continue
      const unsaid = resolved || allResolved ? 'Marked as resolved; the source gives no answer.' : undefined
      found.push({ question, answer: answer ?? unsaid, section, line: block.line })
    } else if (block.kind === 'paragraph' && block.item === undefined) {
      const answered = ANSWER.exec(block.text.trim())
      const current = found.at(-1)
      if (answered && current && current.answer === undefined) {
        current.answer = oneLine(block.text.trim().slice(answered[0].length))
      } else if (!listed || /^[*_]*Q\d*[*_]*\s*[:：.]/i.test(block.text)) {
        const { question, answer } = readQuestion(block.text, [])
        if (!isNothing(question)) found.push({ question, answer, section, line: block.line })
      }
    }
  }
  return found
}

/** The texts of the blocks inside a list item. */
const below = (blocks: readonly Block[], item: ListItem): string[] =>
  blocks.flatMap((block) =>
    block !== item && (block.kind === 'item' || block.kind === 'paragraph') &&
    block.line >= item.line && block.line <= item.endLine
      ? block.text
      : [])

const QUESTION_LABEL =
  /^(?:\[[ xX]\]\s*)?(?:\d+[.)]\s*)?[*_]*(?:Q|Question)\s*\d*[a-z]?[*_]*\s*(?:[:：.)]|\s[-–—]\s)[*_]*\s*/i
const ANSWER_WORDS = '(?:A|Answer|(?:Current |Final )?Decision|Decided|Resolution|Resolved|回答|答|決定)'
const ANSWER = new RegExp(`^[-*+]?\\s*[*_]*${ANSWER_WORDS}\\s*\\d*(?:\\s*\\([^)]*\\))?[*_]*\\s*[:：][*_]*\\s*`, 'i')
const INLINE_ANSWER = new RegExp(
  '(?:\\s*(?:→|->|=>|⇒|—>)\\s*[*_]*' + `(?:${ANSWER_WORDS}[*_]*\\s*[:：])?|` +
  '(?:^|[\\s(])[*_]*(?:A|Answer|Decision|Decided|Resolution|Resolved)[*_]*\\s*[:：])[*_]*\\s*',
  'i'
)
const BOLD_ANSWER = new RegExp(`\\s[*_]{2}${ANSWER_WORDS}(?:[*_]{2}\\s*[:：]|[:：][*_]{2})\\s*`, 'i')
/** `Is it quick? → Yes`: what follows the question, unless it only proposes something. */
const ARROW_ANSWER = new RegExp(
  String.raw`(?<=[?？][*_)）]{0,3}\s?(?:[(（][^()（）]{0,100}[)）])?)\s*(?:→|->|=>|⇒)` +
  String.raw`(?![\s*_]*(?:recommend|propos|suggest|defer|tbd|open|later|建议|建議))\s*`,
  'i'
)
const STRUCK = /^~~([\s\S]+?)~~\s*[-–—:→>✅]*\s*([\s\S]*)$/

interface ReadQuestion {
  question: string
  answer: string | undefined
  labelled: boolean
  resolved: boolean
}

/** Splits a question from its answer, which may stand beside it or in one of the texts below it. */
const readQuestion = (text: string, underneath: readonly string[]): ReadQuestion => {
  const resolved = /^\[[xX]\]/.test(text.trim())
  const bare = text.trim().replace(/^\[[ xX]\]\s*/, '')
  const label = QUESTION_LABEL.exec(bare)
  const body = bare.slice(label?.[0].length ?? 0)
  const struck = STRUCK.exec(body)
  if (struck) {
    const answer = oneLine((struck[2] ?? '').replace(ANSWER, '')) || answerIn(underneath)
    return {
      question: oneLine((struck[1] ?? '').replace(QUESTION_LABEL, '')),
      answer: answer ?? 'Struck out; the source gives no answer.',
      labelled: true,
      resolved: true
    }
  }
  const inline = label ? INLINE_ANSWER.exec(body) : BOLD_ANSWER.exec(body) ?? ARROW_ANSWER.exec(body)
  if (inline) {
    const answer = oneLine(body.slice(inline.index + inline[0].length))
    if (answer !== '') {
      return { question: oneLine(body.slice(0, inline.index)), answer, labelled: label !== null, resolved: true }
    }
  }
  return { question: oneLine(body), answer: answerIn(underneath), labelled: label !== null, resolved }
}

const answerIn = (texts: readonly string[]): string | undefined => {
  const index = texts.findIndex((text) => ANSWER.test(text.trim()))
  if (index === -1) return undefined
  const own = oneLine((texts[index] ?? '').trim().replace(ANSWER, ''))
  return [own, ...(own === '' ? texts.slice(index + 1).map(oneLine) : [])].filter(Boolean).join(' ') || undefined
}

const tableQuestions = ({ header, rows }: Table, section: string): QuestionDraft[] => {
  if (header.length > 0 && !header.some((title) => /question|質問|问题/i.test(title))) return []
  const column = Math.max(header.findIndex((title) => /question|issue|質問|问题/i.test(title)), 0)
  const answers = header.findIndex((title) => /answer|resolution|decision|outcome|status|回答/i.test(title))
  return rows.flatMap(({ cells, line }) => {
    const question = oneLine(cells[column] ?? '').replace(QUESTION_LABEL, '')
    if (isNothing(question)) return []
    const resolved = cells.map((text) => /^[*_✅\s]*Resolved[*_]*\s*[:：]\s*(.+)$/i.exec(oneLine(text))?.[1]).find(Boolean)
    const cell = /status/i.test(header[answers] ?? '') ? '' : oneLine(cells[answers] ?? '')
    const direct = /^(?:$|tbd|open|pending|deferred|-+|—|n\/a|\?)/i.test(cell) ? undefined : cell
    return [{ question, answer: resolved ?? direct, section, line }]
  })
}

const NOTHING = new RegExp(
  String.raw`^[\s*_(>]*(?:none|n\/?a|nothing|nil|` +
  String.raw`no (?:open|unresolved|outstanding|remaining|further|major|blocking)?\s*(?:questions?|issues?)|` +
  String.raw`not applicable|tbd|to be (?:addressed|determined|decided|resolved|defined|filled)|` +
  String.raw`all (?:questions?|clarifications?|resolved)|なし|特になし|ありません|无|暂无|-+|—|…|\.\.\.)` +
  String.raw`(?:\b|[\s.!:、。)*_]|$)`,
  'iu'
)

/** Whether the text says that there is no question, or is text of a template. */
const isNothing = (text: string): boolean => {
  const bare = plainText(text).trim()
  if (bare === '' || TEMPLATE_QUESTION.test(bare) || /^\[[^\]]*\]$/.test(bare)) return true
  return NOTHING.test(bare) && !/[?？]/.test(bare)
}
