/** Imports Agent OS: `.agent-os/specs/<date-name>/` with spec.md and tasks.md, and the documents of the product. */
import { readDate } from '../drafts/dates.js'
import { featureFiles } from '../drafts/feature-files.js'
import { packagesOf } from '../drafts/packages.js'
import { readPlan } from '../kiro/mapping.js'
import { documentQuestions } from '../markdown/questions.js'
import { summariesIn } from '../markdown/sections.js'
import { featureTitle } from '../markdown/title.js'
import { baseName, groupPaths } from '../source/paths.js'
import type { Importer, ImportUnit } from '../types.js'

const FOLDER = /^((?:.+\/)?\.?agent-os\/(?:product|specs\/[^/]+))\/.+\.md$/
const REQUIREMENTS = /^(?:spec|spec-lite|mission|mission-lite|planning\/requirements)\.md$/

export const agentOs: Importer = {
  id: 'agent-os',
  about: '.agent-os/specs/ or agent-os/specs/ with spec.md and tasks.md, and product/',

  find: (paths) => [...groupPaths(paths, FOLDER)].map(([path, files]): ImportUnit => (
    { format: 'agent-os', path, files, reason: `documents of Agent OS in ${path}` })),

  async convert ({ path: folder, files }, context) {
    const documents = featureFiles(folder, files, context)
    const isProduct = folder.endsWith('/product')
    const [spec] = await documents.read(isProduct ? 'mission.md' : 'spec.md')
    const [tasks] = await documents.read(isProduct ? 'roadmap.md' : 'tasks.md')
    const plan = tasks && readPlan(tasks, undefined, context)
    const first = spec ?? tasks
    return [{
      title: isProduct ? `${context.rootName}: product` : featureTitle([spec, tasks], baseName(folder)),
      status: plan?.progress ?? (spec ? 'exploring' : 'draft'),
      tags: ['agent-os', baseName(folder)],
      summaries: summariesIn(spec, { summary: 'overview|goal|pitch' }),
      questions: documentQuestions([spec], context.report),
      packages: packagesOf(folder, {
        requirements: await documents.texts(REQUIREMENTS),
        design: await documents.texts(/^(?:sub-specs\/|tech-stack\.md$)/),
        tasks: [tasks],
        notes: await documents.rest()
      }),
      plan,
      createdAt: readDate(/^\d{4}-\d{2}-\d{2}/.exec(baseName(folder))?.[0]),
      source: first && { path: first.path, line: 1 }
    }]
  }
}
