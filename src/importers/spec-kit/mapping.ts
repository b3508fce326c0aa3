/** spec-kit: `specs/<NNN-name>/` with spec.md, plan.md, tasks.md and what belongs to them. */
import type { ExplorationStatus } from '../../planning/records.js'
import { boxStatus } from '../drafts/statuses.js'
import { readDate } from '../drafts/dates.js'
import { isMarkdown, packageOf, present } from '../drafts/packages.js'
import { PlanDraft, type GroupDraft } from '../drafts/plan-draft.js'
import { oneLine, type Heading, type ListItem } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { clarificationMarks, questionSections } from '../markdown/questions.js'
import { fieldOf, sectionText, textBelow, titleHeading } from '../markdown/sections.js'
import { readTasks, taskBody, type TaskBox } from '../markdown/tasks.js'
import { featureTitle, plainText } from '../markdown/title.js'
import { baseName, groupPaths } from '../source/paths.js'
import type { ConvertContext, ExplorationDraft, Importer, ImportUnit, QuestionDraft, SourceText } from '../types.js'

const FEATURE = /^((?:.+\/)?specs\/[^/]+)\/.+$/
const OF_OTHER_TOOLS = /(?:^|\/)(?:openspec|\.kiro|node_modules)\//
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
        if (/^(?:.+\/)?specs\/[^/]+\.md$/.test(path)) { report.note(path, 'left out: it lies beside the folders of the features') }
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
    const draft = tasks && readPlan(tasks, context)
    const questions = questionsOf([spec, plan])
    const exploration: ExplorationDraft = {
      path: folder,
      title: featureTitle(
        [spec, plan, tasks].map((file) => file?.blocks),
        baseName(folder)
      ),
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
    { kind: 'goals', text: sectionText(spec, /^success criteria\b/i, spec.bodyLine) }
  ]
}

const UNFILLED_TEMPLATE = /\[FEATURE(?: NAME)?\]/

/** Unfilled templates ask nothing. */
const questionsOf = (documents: ReadonlyArray<MarkdownFile | undefined>): QuestionDraft[] =>
  documents.flatMap((file) =>
    file === undefined || UNFILLED_TEMPLATE.test(titleHeading(file.blocks)?.text ?? '')
      ? []
      : [...clarificationMarks(file), ...questionSections(file)]
  )

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
  const items = draft?.items ?? []
  const words = spec ? fieldOf(spec.body, 'Status') : ''
  if (
    /^(?:implemented|completed?|done|delivered|shipped)\b/i.test(words) ||
    (items.length > 0 && items.every(({ status }) => status === 'done'))
  ) { return 'delivered' }
  if (draft) return 'ready'
  return plan || questions.some(({ answer }) => answer === undefined) ? 'exploring' : 'draft'
}

const TASK_ID =
  /^[*_`~[(]*(T-?\d+(?:[.-]\d+)*[a-z]?)[\])]?[*_`~]*[:.]?[*_]*\s+|^[*_`~[(]*(\d+(?:\.\d+)+[a-z]?|\d+(?=[.)]))[.):]?[*_`~\])]*[:.]?\s+/i
const CHECKLIST =
  /\b(?:checklist|validation|definition of done|acceptance|success criteria|quality gates?|review|sign-?off|legend|notation|format)\b|チェックリスト|検証|受け入れ/i
const CHECKPOINT = /^[*_>\s]*(?:Checkpoint|チェックポイント|检查点)[*_]*\s*[:：][*_]*\s*([\s\S]+)$/i

const readPlan = (file: MarkdownFile, context: ConvertContext): PlanDraft | undefined => {
  const plan = new PlanDraft(file.path)
  const boxes = readTasks(file)
  const ids = new Map(boxes.map((box) => [box, idOf(box.text)]))
  const numbered = boxes.some((box) => ids.get(box) !== undefined)
  const level = phaseLevel(boxes.filter((box) => !numbered || ids.get(box) !== undefined))
  const phaseOf = (headings: readonly Heading[]): Heading | undefined =>
    headings.filter((one) => one.level > 1 && one.level <= level).at(-1)
  const numberedPhases = new Set(
    boxes.filter((box) => ids.get(box) !== undefined).map(({ headings }) => phaseOf(headings))
  )
  const isTask = (box: TaskBox): boolean => {
    if (ids.get(box) !== undefined) return true
    if (box.headings.some(({ text }) => CHECKLIST.test(text))) return false
    // Beside numbered tasks a nested box without a number is a step of its task, and a phase of such boxes alone a checklist.
    return !numbered || (!box.parent && numberedPhases.has(phaseOf(box.headings)))
  }
  const tasks = boxes.filter(isTask)
  const left = boxes.filter((box) => !isTask(box) && !box.parent)
  if (left.length > 0) {
    context.report.note(
      file.path,
      `${left.length} checkboxes are no tasks but a checklist; they stay in the package code`,
      left[0]?.line
    )
  }
  const groups = new Map<Heading | undefined, GroupDraft>()
  const groupFor = (headings: readonly Heading[]): GroupDraft => {
    const heading = phaseOf(headings)
    const group = groups.get(heading) ?? plan.addGroup(heading ? plainText(heading.text) : 'Tasks')
    groups.set(heading, group)
    return group
  }
  if (tasks.length === 0) readLooseTasks(file, plan)
  for (const box of tasks) {
    const id = ids.get(box)
    const body = taskBody(file, box, tasks, file.bodyLine)
    const { status, remark } = boxStatus(box.mark, 'blocked')
    const part = box.headings
      .filter((heading) => heading.level > level)
      .map(({ text }) => plainText(text))
      .join(' / ')
    plan.addItem(groupFor(box.headings), {
      id: id?.id,
      title: box.text.slice(id?.length ?? 0),
      description: [
        remark,
        part === '' ? '' : `Section: ${part}`,
        box.parent && ids.get(box.parent) ? `Part of ${ids.get(box.parent)?.id}` : '',
        body
      ]
        .filter(Boolean)
        .join('\n\n'),
      status,
      line: box.line,
      dependsOn: mentionedDependencies(`${box.text}\n${body}`)
    })
  }
  addGates(file, groups, level)
  return plan.items.length > 0 ? plan : undefined
}

const idOf = (text: string): { id: string; length: number } | undefined => {
  const match = TASK_ID.exec(text)
  const id = match?.[1] ?? match?.[2]
  return match && id !== undefined ? { id, length: match[0].length } : undefined
}

/**
 * The level of the headings that group tasks: of those that say "Phase", else 2, or lower where all tasks stand under
 * one heading of level 2.
 */
const phaseLevel = (tasks: readonly TaskBox[]): number => {
  const headings = tasks.flatMap((task) => task.headings)
  const phases = headings
    .filter(
      ({ text }) => /^[*_]*(?:phase|フェーズ|阶段|stage|milestone)\b/i.test(text) || /^フェーズ|^阶段|^第/.test(text)
    )
    .map(({ level }) => level)
  if (phases.length > 0) return Math.min(...phases)
  const second = new Set(headings.filter(({ level }) => level === 2))
  const third = new Set(headings.filter(({ level }) => level === 3))
  return second.size <= 1 && third.size > 1 ? 3 : 2
}

/** Tasks of home-made lists: headings or list entries that begin with `T012`, without boxes. */
const readLooseTasks = (file: MarkdownFile, plan: PlanDraft): void => {
  let headings: Heading[] = []
  for (const block of file.blocks) {
    const id =
      block.kind === 'heading' || (block.kind === 'item' && block.parent === undefined)
        ? idOf(oneLine(block.text))
        : undefined
    if (block.kind === 'heading') headings = [...headings.filter(({ level }) => level < block.level), block]
    if (id === undefined || !/^T/i.test(id.id) || (block.kind !== 'heading' && block.kind !== 'item')) continue
    const above = headings.filter((heading) => heading !== block && heading.level > 1)
    const body =
      block.kind === 'heading'
        ? textBelow(file, block, file.bodyLine)
        : listBody(file, block)
    const text = oneLine(block.text)
    const done =
      /^\s*(?:✅|☑|✔)|(?:✅|☑|✔)\s*$/.test(text) ||
      /^\s*[-*]?\s*[*_]*status[*_]*\s*[:：][*_\s]*(?:✅|done|complete)/im.test(body)
    plan.addItem(plan.groupOf(plainText(above[0]?.text ?? 'Tasks')), {
      id: id.id,
      title: text.slice(id.length),
      description: body,
      status: done ? 'done' : 'todo',
      line: block.line,
      dependsOn: mentionedDependencies(`${text}\n${body}`)
    })
  }
}

const listBody = ({ lines, bodyLine }: MarkdownFile, item: ListItem): string =>
  lines
    .slice(item.bodyLine - bodyLine, item.endLine - bodyLine + 1)
    .join('\n')
    .trim()

/** A checkpoint is a gate after the tasks of the group that it stands in. */
const addGates = (file: MarkdownFile, groups: ReadonlyMap<Heading | undefined, GroupDraft>, level: number): void => {
  let heading: Heading | undefined
  for (const block of file.blocks) {
    if (block.kind === 'heading' && block.level > 1 && block.level <= level) heading = block
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue
    const criterion = CHECKPOINT.exec(block.text)?.[1]
    const group = groups.get(heading)
    if (criterion !== undefined && group) group.gates.push({ criterion: oneLine(criterion), line: block.line })
  }
}
