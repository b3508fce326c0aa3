/** Makes a group of a BMAD story: its tasks and subtasks, and the criteria that stand with them. */
import type { Criterion } from '../../planning/records.js'
import { paragraphs } from '../drafts/packages.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { boxStatus, readStatus, type ReadStatus } from '../drafts/statuses.js'
import { isCriterion } from '../markdown/acceptance.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { numberedId, readTasks, taskBody, type TaskBox } from '../markdown/tasks.js'
import type { ConvertContext } from '../types.js'
import { namedIn } from './criteria.js'

export interface Story {
  /** Such as `1.2`. */
  id: string
  title: string
  criteria: ReadonlyMap<string, Criterion>
  description: string
  /** Undefined for a story that only a document of epics or the sprint's status knows. */
  file?: MarkdownFile
  /** The words of its status; '' when nothing says it. `path` and `line`: where they stand, else the story. */
  words: string
  path: string
  line: number
}

const TASKS = /\b(?:sub-?)?tasks?\b/i
const STATES = new Map([
  ...['ready-for-dev', 'ready for development', 'drafted', 'contexted'].map((words) => [words, 'todo'] as const),
  ...['ready for done', 'ready-for-review'].map((words) => [words, 'in_progress'] as const)
])

/** By the words of BMAD; what is in brackets or after a dash is a remark. */
const statusOf = ({ words, path, line }: Story, { statuses, report }: ConvertContext): ReadStatus => {
  const bare = words.replaceAll(/[*_`]/g, '').split(/\s*(?:[([—–:;,.]|\s-\s)/u)[0] ?? ''
  return readStatus(bare, { statuses: new Map([...STATES, ...statuses]), report }, path, line)
}

/** Adds a group with the story's tasks; a story without tasks is an item itself. */
export const addStory = (plan: PlanDraft, story: Story, context: ConvertContext): void => {
  const { id, title, criteria, description, file, path, line } = story
  const group = plan.addGroup(`Story ${id}: ${title}`)
  const whole = statusOf(story, context)
  const boxes = (file ? readTasks(file) : [])
    .filter((box) => box.headings.some(({ level, text }) => level > 1 && TASKS.test(text)) && !isCriterion(box))
  const open = boxes.filter(({ mark }) => boxStatus(mark, 'todo').status !== 'done').length
  // Where no box is kept at all, the status of the story is all that is known.
  const isUnkept = whole.status === 'done' && open === boxes.length
  if (open > 0 && whole.status === 'done') {
    const read = isUnkept ? ': all were read as done' : ''
    context.report.note(path, `story ${id} is done, but ${open} of its ${boxes.length} boxes are open${read}`, line)
  }
  const ids = new Map<TaskBox | undefined, string>()
  const counts = new Map<TaskBox | undefined, number>()
  const left = new Set(criteria.values())
  for (const [index, box] of boxes.entries()) {
    const text = box.text.replaceAll('**', '').replace(/^(?:sub-?)?task\s+(?=\d)/i, '')
    const number = numberedId(text)
    const count = (counts.get(box.parent) ?? 0) + 1
    counts.set(box.parent, count)
    // Numbers begin again in each story, so that they stand below its own.
    const own = number ? `${id}.${number.id}` : `${ids.get(box.parent) ?? id}.${count}`
    ids.set(box, own)
    // A heading between the boxes names criteria too: they stand with the first task below it.
    const heading = box.headings.at(-1)
    const isFirst = boxes[index - 1]?.headings.at(-1) !== heading
    const acceptance = namedIn(isFirst ? `${heading?.text} ${box.text}` : box.text, criteria)
    for (const criterion of acceptance) left.delete(criterion)
    const { status, remark } = isUnkept ? whole : boxStatus(box.mark, 'in_progress')
    const body = file ? taskBody(file, box, boxes) : ''
    plan.addItem(group, {
      id: own,
      title: text.slice(number?.length ?? 0),
      description: paragraphs(remark, body),
      status,
      acceptance,
      path: file?.path ?? path,
      line: box.line
    })
  }
  const last = group.items.at(-1)
  if (last) last.acceptance = [...last.acceptance, ...left]
  else {
    const { status, remark } = whole
    const text = paragraphs(remark, description)
    plan.addItem(group, { id, title, description: text, status, acceptance: [...left], path, line })
  }
}
