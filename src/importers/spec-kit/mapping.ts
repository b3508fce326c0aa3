/** Imports spec-kit: `specs/<NNN-name>/` with spec.md, plan.md, tasks.md and their companions. */
import type { ExplorationStatus } from '../../planning/records.js'
import { readDate } from '../drafts/dates.js'
import { featureFiles, featureUnits } from '../drafts/feature-files.js'
import { packageOf, present } from '../drafts/packages.js'
import { documentQuestions } from '../markdown/document-questions.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { fieldOf, summariesIn } from '../markdown/sections.js'
import { featureTitle } from '../markdown/title.js'
import { baseName } from '../source/paths.js'
import type { ExplorationDraft, Importer } from '../types.js'
import { readPlan } from './plan.js'

const FEATURE = /^((?:.+\/)?specs\/[^/]+)\/.+$/
const OF_OTHER_TOOLS = /(?:^|\/)(?:openspec|\.kiro|\.?agent-os|node_modules)\//
const DOCUMENTS = ['spec.md', 'specification.md', 'plan.md', 'tasks.md']

export const specKit: Importer = {
  id: 'spec-kit',
  about: 'specs/NNN-name/ with spec.md, plan.md, tasks.md',

  find: (paths, report) =>
    featureUnits('spec-kit', paths.filter((path) => !OF_OTHER_TOOLS.test(path)), FEATURE, DOCUMENTS, report),

  async convert ({ path: folder, files }, context) {
    const feature = featureFiles(folder, files, context)
    const specs = await feature.read('spec.md', 'specification.md')
    const [plan] = await feature.read('plan.md')
    const [tasks] = await feature.read('tasks.md')
    const [spec] = specs
    const draft = tasks && readPlan(tasks, spec, context)
    const questions = documentQuestions([spec, plan], context.report)
    const status = (): ExplorationStatus => {
      const words = spec ? fieldOf(spec.body, 'Status') : ''
      if (/^(?:implemented|completed?|done|delivered|shipped)\b/i.test(words)) return 'delivered'
      if (draft) return draft.progress
      return plan || questions.some(({ answer }) => answer === undefined) ? 'exploring' : 'draft'
    }
    const exploration: ExplorationDraft = {
      path: folder,
      title: featureTitle([spec, plan, tasks], baseName(folder)),
      status: status(),
      tags: ['spec-kit', baseName(folder)],
      summaries: spec ? summariesOf(spec) : [],
      questions,
      packages: present([
        packageOf('spec', folder, specs),
        packageOf('design', folder, [plan, ...await feature.read('research.md', 'data-model.md', 'quickstart.md')]),
        packageOf('code', folder, [tasks, ...await feature.texts(/^contracts\//)]),
        packageOf('notes', folder, await feature.rest())
      ]),
      plan: draft,
      createdAt: readDate(spec && fieldOf(spec.body, 'Created')),
      source: { path: (spec ?? plan ?? tasks)?.path ?? folder, line: (spec ?? plan ?? tasks) && 1 }
    }
    return [exploration]
  }
}

const summariesOf = (spec: MarkdownFile): ExplorationDraft['summaries'] => {
  const input = fieldOf(spec.body, 'Input')
    .replace(/^User description:\s*/i, '')
    .replaceAll(/^["“]|["”]$/g, '')
  return [
    { kind: 'summary', text: /^\$ARGUMENTS$|^\[/.test(input) ? '' : input },
    ...summariesIn(spec, { goals: 'success criteria' })
  ]
}
