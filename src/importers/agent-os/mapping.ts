/** Imports Agent OS: `.agent-os/specs/<date-name>/` with spec.md and tasks.md, and the documents of the product. */
import { readDate } from '../drafts/dates.js'
import { isMarkdown, packageOf, present } from '../drafts/packages.js'
import { readPlan } from '../kiro/mapping.js'
import { readMarkdown } from '../markdown/markdown-file.js'
import { questionSections } from '../markdown/questions.js'
import { sectionText } from '../markdown/sections.js'
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
    const inner = (path: string): string => path.slice(folder.length + 1)
    const read = async (name: string) => await readMarkdown(files.find((path) => inner(path) === name), context)
    const isProduct = folder.endsWith('/product')
    const spec = await read(isProduct ? 'mission.md' : 'spec.md')
    const tasks = await read(isProduct ? 'roadmap.md' : 'tasks.md')
    const plan = tasks && readPlan(tasks, undefined, context)
    const packageFrom = async (type: string, test: (name: string) => boolean) => {
      const paths = files.filter((path) => isMarkdown(path) && path !== tasks?.path && test(inner(path)))
      return packageOf(type, folder, await Promise.all(paths.map((path) => context.read(path))))
    }
    return [{
      path: folder,
      title: isProduct ? `${context.rootName}: product` : featureTitle([spec], baseName(folder)),
      status: plan?.progress ?? (spec ? 'exploring' : 'draft'),
      tags: ['agent-os', baseName(folder)],
      summaries: spec ? [{ kind: 'summary', text: sectionText(spec, /^(?:overview|goal|pitch)\b/i) }] : [],
      questions: spec ? questionSections(spec) : [],
      packages: present([
        await packageFrom('requirements', (name) => REQUIREMENTS.test(name)),
        await packageFrom('design', (name) => name.startsWith('sub-specs/') || name === 'tech-stack.md'),
        packageOf('tasks', folder, [tasks]),
        await packageFrom('notes', (name) => !REQUIREMENTS.test(name) && !/^(?:sub-specs\/|tech-stack\.md$)/.test(name))
      ]),
      plan,
      createdAt: readDate(/^\d{4}-\d{2}-\d{2}/.exec(baseName(folder))?.[0]),
      source: { path: (spec ?? tasks)?.path ?? files[0] ?? folder, line: 1 }
    }]
  }
}
