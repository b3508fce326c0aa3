/** Imports lists of boxes in markdown: files such as TODO.md by their names, and every file that is named. */
import { boxPlan } from '../drafts/box-plan.js'
import { isMarkdown, packagesOf } from '../drafts/packages.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { isCriterion } from '../markdown/acceptance.js'
import type { HeadingBlock } from '../markdown/blocks.js'
import { documentQuestions } from '../markdown/questions.js'
import { textIn } from '../markdown/front-matter.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { titleHeading } from '../markdown/sections.js'
import { numberedId, readTasks, taskId, type TaskBox } from '../markdown/tasks.js'
import { nameAsTitle, plainText, titleOf } from '../markdown/title.js'
import { ImportReport } from '../report.js'
import { baseName, folderOf } from '../source/paths.js'
import type { ImportUnit, Importer } from '../types.js'

const TRACK = /^(?:.+\/)?conductor\/(?:tracks|archive)\/(?:.+\/)?plan\.md$/
/** A small change of BMAD that has no story. */
const QUICK = /(?:^|\/)_?bmad-output\/(?:implementation-artifacts\/)?(?:tech-)?spec-[^/]+\.md$/
const NAMED = /^(?:(?:[A-Z0-9]+[-_])*PLAN|TODO|ROADMAP|TASKS)\.md$/
// In small letters the names are common: in the root and in usual folders only.
const SMALL = /^(?:(?:docs?|tasks|plans?|planning)\/)?(?:(?:implementation[-_])?plan|todo|roadmap|tasks)\.md$/i
const PHASES = /(?:^|\/)\.planning\/(?:.+\/)?ROADMAP\.md$/
// Text of others, of tests and of templates. A folder with a dot belongs to a tool.
const ELSEWHERE = /(?:^|\/)(?:\.[^/]+|node_modules|vendor|third_party|tests?|__tests__|fixtures|templates?|skills)\//
/** Never a plan, even by its name: documents that have boxes for their readers. */
const NEVER = new RegExp(
  String.raw`(?:^|/)(?:(?:readme|change-?log)(?:[._-][^/]*)?|changes|history|news|contributing|code_of_conduct|` +
  String.raw`security|support|license|agents|claude|gemini|skill|(?:pull|merge)_request_template|issue_template)\.` +
  String.raw`\w+$|` +
  String.raw`(?:^|/)(?:\.github|\.gitlab|issue_template|pull_request_template|merge_request_templates)/`,
  'i'
)

const isPlan = (path: string): boolean =>
  TRACK.test(path) || PHASES.test(path) || QUICK.test(path) ||
  (!ELSEWHERE.test(path) && (NAMED.test(baseName(path)) || SMALL.test(path)))

export const checklist: Importer = {
  id: 'checklist',
  about: 'boxes in PLAN.md, TODO.md, ROADMAP.md, TASKS.md, conductor/tracks/, .planning/, or a .md that is named',

  find (paths, _report, forced) {
    return paths
      .filter((path) => isMarkdown(path) && !NEVER.test(path) && (forced === true || isPlan(path)))
      .map((path): ImportUnit => {
        const folder = folderOf(path)
        const beside = TRACK.test(path) ? paths.filter((other) => other === `${folder}/spec.md`) : []
        return { format: 'checklist', path, files: [path, ...beside], reason: `boxes in ${path}` }
      })
  },

  async convert ({ path, files }, context) {
    const [file] = await readMarkdown([path], context)
    if (!file) return []
    const plan = readPlan(file)
    if (!plan) {
      context.report.note(path, 'left out: it has no task, which is a line "- [ ] …"')
      return []
    }
    const folder = folderOf(path)
    const named = TRACK.test(path) ? baseName(folder).replace(/_\d{8}$/, '') : baseName(path)
    const heading = titleHeading(file.blocks)
    const title = heading?.level === 1 ? heading.text.replace(/^(?:track|roadmap):\s*/i, '') : ''
    const own = textIn(file.data, 'title') || titleOf(title, baseName(path))
    return [{
      title: own !== '' && !/^roadmap$/i.test(own) ? own : titleOfName(named, folder, context.rootName),
      tags: ['checklist'],
      questions: documentQuestions([file], context.report),
      packages: packagesOf(folder, { spec: await context.readAll(files.slice(1)), tasks: [file] }),
      plan,
      source: { path, line: 1 }
    }]
  }
}

/** `TODO.md` says nothing, so that the folder or the repository is named too. */
const titleOfName = (name: string, folder: string, rootName: string): string => SMALL.test(name)
  ? `${folder === '' ? rootName : nameAsTitle(baseName(folder))}: ${nameAsTitle(name)}`
  : nameAsTitle(name)

/** Headings that say nothing of their own: the group is the heading above. */
const GENERIC = /^(?:sub-?)?(?:tasks?|steps?|to-?dos?|checklist|action items?|implementation(?: steps| tasks)?):?$/i

const readPlan = (file: MarkdownFile): PlanDraft | undefined => {
  const boxes = readTasks(file, ({ text }) => taskId(text) ?? numberedId(text))
  // Numbers such as `1.` that begin again in each part are no ids.
  const counts = new Map<string | undefined, number>()
  for (const { id } of boxes) counts.set(id?.id, (counts.get(id?.id) ?? 0) + 1)
  for (const box of boxes) if (box.id && /^\d+$/.test(box.id.id) && (counts.get(box.id.id) ?? 0) > 1) box.id = undefined
  return boxPlan(file, {
    boxes,
    tasks: boxes.filter((box) => !isCriterion(box)),
    groupOf,
    deferred: 'in_progress',
    remarks: ({ parent }) => parent ? [`Part of: ${plainText(parent.text)}`] : []
    // In a document for people, what is no task is no fault.
  }, new ImportReport())
}

const groupOf = ({ headings }: TaskBox): HeadingBlock | undefined =>
  headings.filter(({ level, text }) => level > 1 && !GENERIC.test(plainText(text))).at(-1) ??
  headings.filter(({ level }) => level > 1).at(-1)
