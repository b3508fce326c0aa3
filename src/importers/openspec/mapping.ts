/** Imports OpenSpec: `openspec/changes/<id>/`, its archive, and the current specifications. */
import { boxPlan, byPhase } from '../drafts/box-plan.js'
import { readDate } from '../drafts/dates.js'
import { featureFiles } from '../drafts/feature-files.js'
import { packagesOf } from '../drafts/packages.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { isCriterion } from '../markdown/acceptance.js'
import { documentQuestions } from '../markdown/questions.js'
import { parseYaml } from '../markdown/front-matter.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { summariesIn } from '../markdown/sections.js'
import { numberedId, readTasks } from '../markdown/tasks.js'
import { featureTitle } from '../markdown/title.js'
import { baseName, groupPaths } from '../source/paths.js'
import type { ConvertContext, ExplorationDraft, ImportUnit, Importer, NewExploration } from '../types.js'

const ACTIVE = /^((?:.+\/)?openspec\/changes\/(?!archive\/)[^/]+)\/.+$/
const ARCHIVED = /^((?:.+\/)?openspec\/changes\/archive\/[^/]+)\/.+$/
const CURRENT = /^((?:.+\/)?openspec)\/(?:specs\/.+\.md|project\.md|config\.ya?ml)$/

export const openSpec: Importer = {
  id: 'openspec',
  about: 'openspec/ with changes, their archive and the current specifications',

  find (paths, report) {
    const units: ImportUnit[] = []
    const usedPaths = new Set<string>()
    for (const [folder, files] of [...groupPaths(paths, ACTIVE), ...groupPaths(paths, ARCHIVED)]) {
      if (!files.some((path) => /\/(?:proposal|tasks|design|specs\/.+)\.md$/.test(path))) continue
      const path = identityOf(folder)
      // Two changes with the same id: the active one, else the first, gets the path without the folder.
      if (usedPaths.has(path)) {
        report.note(folder, `another change has the id ${baseName(path)}; this one goes by its folder`)
      }
      const unit = usedPaths.has(path) ? folder : path
      usedPaths.add(unit)
      units.push({ format: 'openspec', path: unit, files, reason: `a change in ${folder}` })
    }
    for (const [folder, files] of groupPaths(paths, CURRENT)) {
      if (!files.some((path) => path.startsWith(`${folder}/specs/`))) {
        for (const path of files) report.note(path, 'left out: there are no current specifications that it goes with')
        continue
      }
      units.push({ format: 'openspec', path: `${folder}/specs`, files, reason: `current specifications in ${folder}` })
    }
    for (const path of paths) {
      if (/^(?:.+\/)?openspec\/(?:changes\/[^/]+|AGENTS)\.md$/.test(path)) {
        report.note(path, 'left out: it belongs to no change')
      }
    }
    return units
  },

  async convert (unit, context) {
    return [
      unit.path.endsWith('openspec/specs') ? await currentSpecifications(unit, context) : await change(unit, context)
    ]
  }
}

const DATED = /\/archive\/(?:(\d{4}-\d{2}-\d{2})-)?([^/]+)$/

/** A change keeps its path when it is archived. */
const identityOf = (folder: string): string => folder.replace(DATED, '/$2')

const change = async ({ path, files }: ImportUnit, context: ConvertContext): Promise<NewExploration> => {
  const folder = /^((?:.+\/)?openspec\/changes\/(?:archive\/)?[^/]+)\//.exec(files[0] ?? '')?.[1] ?? path
  const archived = DATED.exec(folder)
  const feature = featureFiles(folder, files, context)
  const [proposal] = await feature.read('proposal.md')
  const [design] = await feature.read('design.md')
  const [tasks] = await feature.read('tasks.md')
  const [settings] = await context.readAll(feature.at('.openspec.yaml'))
  const created = settings && readDate(parseYaml(settings.text, settings.path, context.report)['created'])
  const name = baseName(path).replace(/^\d{4}-\d{2}-\d{2}-/, '')
  const plan = tasks && readPlan(tasks, context)
  const questions = documentQuestions([proposal, design], context.report)
  const isOpen = questions.some(({ answer }) => answer === undefined)
  const archivedAt = readDate(archived?.[1])
  const first = proposal ?? design ?? tasks
  return {
    title: featureTitle([proposal], name),
    status: archived ? 'delivered' : plan ? 'ready' : design || isOpen ? 'exploring' : 'draft',
    tags: ['openspec', name],
    summaries: proposal ? summariesOf(proposal, design) : [],
    questions,
    packages: packagesOf(folder, {
      design: [proposal, design],
      code: await feature.texts(/^specs\/.+\.md$/),
      tasks: [tasks],
      notes: await feature.rest()
    }),
    plan,
    createdAt: created ?? archivedAt,
    updatedAt: archivedAt,
    source: first && { path: first.path, line: 1 }
  }
}

const NON_GOALS = { 'non-goals': String.raw`non-?\s?goals?|out of scope` }

const summariesOf = (proposal: MarkdownFile, design: MarkdownFile | undefined): ExplorationDraft['summaries'] => [
  ...summariesIn(proposal, { problem: 'why|problem|motivation', summary: 'what changes', impact: 'impact' }),
  ...[proposal, design].flatMap((file) => summariesIn(file, NON_GOALS)).filter(({ text }) => text !== '').slice(0, 1)
]

const readPlan = (file: MarkdownFile, { report }: ConvertContext): PlanDraft | undefined => {
  const boxes = readTasks(file, ({ text }) => numberedId(text))
  const tasks = boxes.filter((box) => box.id !== undefined || !(box.parent || isCriterion(box)))
  return boxPlan(file, { boxes, tasks, ...byPhase(tasks), deferred: 'in_progress' }, report)
}

/** One exploration for all capabilities. */
const currentSpecifications = async ({ path, files }: ImportUnit, context: ConvertContext): Promise<NewExploration> => {
  const folder = path.replace(/\/specs$/, '')
  const current = featureFiles(folder, files, context)
  return {
    title: 'Current specifications',
    status: 'delivered',
    tags: ['openspec'],
    packages: [
      ...packagesOf(path, { spec: await current.texts(/^specs\//) }),
      ...packagesOf(folder, { notes: await current.texts(/^[^/]+$/) })
    ]
  }
}
