/** Imports lists of boxes in markdown: files such as TODO.md by their names, and every file that is named. */
import { boxStatus } from '../drafts/statuses.js'
import { isMarkdown, packageOf, present } from '../drafts/packages.js'
import { PlanDraft, type GroupDraft } from '../drafts/plan-draft.js'
import { criterionOf, isCriterion } from '../markdown/acceptance.js'
import type { HeadingBlock } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { questionSections } from '../markdown/questions.js'
import { titleHeading } from '../markdown/sections.js'
import { numberedId, readTasks, taskBody, taskId, type TaskBox } from '../markdown/tasks.js'
import { nameAsTitle, plainText, titleOf } from '../markdown/title.js'
import { baseName, folderOf } from '../source/paths.js'
import type { ExplorationDraft, Importer, ImportUnit } from '../types.js'

const TRACK = /^(?:.+\/)?conductor\/(?:tracks|archive)\/(?:.+\/)?plan\.md$/
const NAMED = /^(?:(?:[A-Z0-9]+[-_])*PLAN|TODO|ROADMAP|TASKS)\.md$/
// In small letters the names are common: in the root and in usual folders only.
const SMALL = /^(?:(?:docs?|tasks|plans?|planning)\/)?(?:(?:implementation[-_])?plan|todo|roadmap|tasks)\.md$/i
const PHASE_PLAN = /(?:^|\/)\.planning\/(?:.+\/)?(?:[^/]+-PLAN|ROADMAP)\.md$/
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
  TRACK.test(path) || PHASE_PLAN.test(path) ||
  (!ELSEWHERE.test(path) && (NAMED.test(baseName(path)) || SMALL.test(path)))

export const checklist: Importer = {
  id: 'checklist',
  about: 'boxes in PLAN.md, TODO.md, ROADMAP.md, TASKS.md, conductor/tracks/, .planning/, or in a .md that is named',

  find (paths, _report, forced) {
    return paths
      .filter((path) => isMarkdown(path) && !NEVER.test(path) && (forced === true || isPlan(path)))
      .map((path): ImportUnit => {
        const folder = folderOf(path)
        const beside = TRACK.test(path) ? paths.filter((other) => other === `${folder}/spec.md`) : []
        return { format: 'checklist', path, files: [path, ...beside], reason: `boxes in ${path}` }
      })
  },

  async convert ({ path, files: [, specPath] }, context) {
    const file = await readMarkdown(path, context)
    if (!file) return []
    const plan = readPlan(file)
    if (plan.items.length === 0) {
      context.report.note(path, 'left out: it has no task, which is a line "- [ ] …"')
      return []
    }
    const spec = specPath === undefined ? undefined : await context.read(specPath)
    const folder = folderOf(path)
    const named = TRACK.test(path) ? baseName(folder).replace(/_\d{8}$/, '') : baseName(path)
    const heading = titleHeading(file.blocks)
    const own = heading?.level === 1 ? titleOf(heading.text.replace(/^(?:track|roadmap):\s*/i, ''), baseName(path)) : ''
    const exploration: ExplorationDraft = {
      path,
      title: own !== '' && !/^roadmap$/i.test(own) ? own : titleOfName(named, folder, context.rootName),
      status: plan.progress,
      tags: ['checklist'],
      summaries: [],
      questions: questionSections(file),
      packages: present([packageOf('spec', folder, [spec]), packageOf('tasks', folder, [file])]),
      plan,
      source: { path, line: 1 }
    }
    return [exploration]
  }
}

/** `TODO.md` and `01-02-PLAN.md` say nothing, so that the folder or the repository is named too. */
const titleOfName = (name: string, folder: string, rootName: string): string => {
  const number = /^([\d.-]+)-PLAN\.md$/.exec(name)?.[1]
  if (number === undefined && !SMALL.test(name)) return nameAsTitle(name)
  return `${folder === '' ? rootName : nameAsTitle(baseName(folder))}: ${number ?? nameAsTitle(name)}`
}

const LEGEND = /\b(?:legend|notation|status (?:key|markers?))\b/i
/** Headings that say nothing of their own: the group is the heading above. */
const GENERIC = /^(?:sub-?)?(?:tasks?|steps?|to-?dos?|checklist|action items?|implementation(?: steps| tasks)?):?$/i

const readPlan = (file: MarkdownFile): PlanDraft => {
  const plan = new PlanDraft(file.path)
  const boxes = readTasks(file).filter(({ headings }) => !headings.some(({ text }) => LEGEND.test(text)))
  const ids = uniqueIds(boxes)
  const tasks = boxes.filter((box) => !isCriterion(box))
  const groups = new Map<HeadingBlock | undefined, GroupDraft>()
  const items = tasks.map((box) => {
    const heading = groupOf(box)
    const group = groups.get(heading) ?? plan.addGroup(heading ? plainText(heading.text) : 'Tasks')
    groups.set(heading, group)
    const id = ids.get(box)
    const body = taskBody(file, box, tasks)
    const { status, remark } = boxStatus(box.mark, 'in_progress')
    return plan.addItem(group, {
      id: id?.id,
      title: box.text.slice(id?.length ?? 0),
      description: [remark, box.parent ? `Part of: ${plainText(box.parent.text)}` : '', body]
        .filter(Boolean).join('\n\n'),
      status,
      line: box.line,
      dependsOn: mentionedDependencies(`${box.text}\n${body}`)
    })
  })
  for (const box of boxes.filter(isCriterion)) {
    // The criteria of a part stand with its last task.
    const parts = [box.headings.at(-1), box.headings.at(-2)]
    const indexes = parts.map((part) => tasks.findLastIndex(({ headings }) => part && headings.includes(part)))
    const last = items[indexes.find((index) => index >= 0) ?? items.length - 1]
    if (last) last.acceptance = [...last.acceptance, criterionOf(box)]
  }
  return plan
}

const groupOf = ({ headings }: TaskBox): HeadingBlock | undefined =>
  headings.filter(({ level, text }) => level > 1 && !GENERIC.test(plainText(text))).at(-1) ??
  headings.filter(({ level }) => level > 1).at(-1)

/** Numbers such as `1.` that begin again in each part are no ids. */
const uniqueIds = (boxes: readonly TaskBox[]): Map<TaskBox, { id: string; length: number }> => {
  const ids = new Map(boxes.flatMap((box) => {
    const id = taskId(box.text) ?? numberedId(box.text)
    return id ? [[box, id] as const] : []
  }))
  const counts = new Map<string, number>()
  for (const { id } of ids.values()) counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const [box, { id }] of ids) if (/^\d+$/.test(id) && (counts.get(id) ?? 0) > 1) ids.delete(box)
  return ids
}
