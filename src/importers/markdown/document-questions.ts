/** Finds all questions of documents: marks, and sections of questions. */
import { pluralize } from '../../lib/text/text.js'
import { ImportReport } from '../report.js'
import type { QuestionDraft } from '../types.js'
import { clarificationMarks } from './clarification-marks.js'
import type { MarkdownFile } from './markdown-file.js'
import { questionSections } from './questions.js'
import { titleHeading } from './sections.js'

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
