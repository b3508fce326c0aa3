/** Imports spec-kit: `specs/<NNN-name>/` with spec.md, plan.md, tasks.md and their companions. */
import type { ExplorationStatus } from '../../planning/records.js'
import { readDate } from '../drafts/dates.js'
import { isMarkdown, packageOf, present } from '../drafts/packages.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { clarificationMarks } from '../markdown/clarification-marks.js'
import { questionSections } from '../markdown/questions.js'
import { fieldOf, sectionText, titleHeading } from '../markdown/sections.js'
import { featureTitle } from '../markdown/title.js'
import { pluralize } from '../../lib/text/text.js'
import { ImportReport } from '../report.js'
import { baseName, groupPaths } from '../source/paths.js'
import type { ConvertContext, ExplorationDraft, Importer, ImportUnit, QuestionDraft, SourceText } from '../types.js'
import { readPlan } from './plan.js'

const FEATURE = /^((?:.+\/)?specs\/[^/]+)\/.+$/
const OF_OTHER_TOOLS = /(?:^|\/)(?:openspec|\.kiro|\.?agent-os|node_modules)\//
const DOCUMENTS = ['spec.md', 'specification.md', 'plan.md', 'tasks.md']
const DESIGN = ['plan.md', 'research.md', 'data-model.md', 'quickstart.md']

export const specKit: Importer = {
  id: 'spec-kit',
  about: 'specs/NNN-name/ with spec.md, plan.md, tasks.md',

  find (paths, report) {
    const own = paths.filter((path) => !OF_OTHER_TOOLS.test(path))
    const units: ImportUnit[] = []
    for (const [folder, files] of groupPaths(own, FEATURE)) {
      const documents = DOCUMENTS.filter((name) => files.includes(`${folder}/${name}`))
      if (documents.length === 0) continue
      units.push({ format: 'spec-kit', path: folder, files, reason: `${documents.join(', ')} in ${folder}` })
    }
    if (units.length > 0) {
      for (const path of own) {
        if (/^(?:.+\/)?specs\/[^/]+\.md$/.test(path)) {
          report.note(path, 'left out: it lies beside the folders of the features')
        }
      }
    }
    return units
  },

  async convert ({ path: folder, files }, context) {
    const at = (name: string): string | undefined => files.find((path) => path === `${folder}/${name}`)
    const read = (name: string): Promise<MarkdownFile | undefined> => readMarkdown(at(name), context)
    const spec = (await read('spec.md')) ?? (await read('specification.md'))
    const plan = await read('plan.md')
    const tasks = await read('tasks.md')
    const names = new Set([spec?.path, tasks?.path, ...DESIGN.map(at)])
    const design = await Promise.all(DESIGN.slice(1).map((name) => readIfThere(at(name), context)))
    const contracts = await Promise.all(
      files.filter((path) => path.startsWith(`${folder}/contracts/`)).map((path) => readIfThere(path, context))
    )
    const others = files.filter(
      (path) => isMarkdown(path) && !names.has(path) && !path.startsWith(`${folder}/contracts/`)
    )
    for (const path of files) {
      if (!isMarkdown(path) && !path.startsWith(`${folder}/contracts/`)) {
        context.report.note(
          path, 'left out: neither markdown nor a contract'
        )
      }
    }
    const draft = tasks && readPlan(tasks, spec, context)
    const questions = questionsOf([spec, plan], context.report)
    const exploration: ExplorationDraft = {
      path: folder,
      title: featureTitle([spec, plan, tasks], baseName(folder)),
      status: statusOf({ spec, plan, draft, questions }),
      tags: ['spec-kit', baseName(folder)],
      summaries: spec ? summariesOf(spec) : [],
      questions,
      packages: present([
        packageOf('spec', folder, [spec]),
        packageOf('design', folder, [plan, ...design]),
        packageOf('code', folder, [tasks, ...contracts]),
        packageOf('notes', folder, await Promise.all(others.map((path) => readIfThere(path, context))))
      ]),
      plan: draft,
      createdAt: readDate(spec && fieldOf(spec.body, 'Created')),
      source: { path: (spec ?? plan ?? tasks)?.path ?? folder, line: (spec ?? plan ?? tasks) && 1 }
    }
    return [exploration]
  }
}

const readIfThere = async (path: string | undefined, context: ConvertContext): Promise<SourceText | undefined> =>
  path === undefined ? undefined : await context.read(path)

const summariesOf = (spec: MarkdownFile): ExplorationDraft['summaries'] => {
  const input = fieldOf(spec.body, 'Input')
    .replace(/^User description:\s*/i, '')
    .replaceAll(/^["“]|["”]$/g, '')
  return [
    { kind: 'summary', text: /^\$ARGUMENTS$|^\[/.test(input) ? '' : input },
    { kind: 'goals', text: sectionText(spec, /^success criteria\b/i) }
  ]
}

const UNFILLED_TEMPLATE = /\[FEATURE(?: NAME)?\]/

/** Documents that are still templates have no questions; what is left out is reported. */
const questionsOf = (
  documents: ReadonlyArray<MarkdownFile | undefined>, report: ImportReport
): QuestionDraft[] =>
  documents.flatMap((file) => {
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

const statusOf = ({
  spec,
  plan,
  draft,
  questions
}: {
  spec: MarkdownFile | undefined
  plan: MarkdownFile | undefined
  draft: PlanDraft | undefined
  questions: readonly QuestionDraft[]
}): ExplorationStatus => {
  const words = spec ? fieldOf(spec.body, 'Status') : ''
  if (
    /^(?:implemented|completed?|done|delivered|shipped)\b/i.test(words) ||
    draft?.progress === 'delivered'
  ) { return 'delivered' }
  if (draft) return 'ready'
  return plan || questions.some(({ answer }) => answer === undefined) ? 'exploring' : 'draft'
}
