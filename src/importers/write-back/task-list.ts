/** Edits the JSON of task-master: the status of a task or subtask, and a new one at the end of a list. */
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import { knownStatus } from '../drafts/statuses.js'
import type { ItemStatus } from '../../planning/records.js'
import type { Edit, FileText } from './file-text.js'

const WORDS: Readonly<Record<ItemStatus, string>> = {
  todo: 'pending', in_progress: 'in-progress', done: 'done', blocked: 'blocked'
}

/** Replaces the status of the task with this id, in the list of the tag; undefined when it has none. */
export const setTaskStatus = (
  { text }: FileText, tag: string | undefined, { id, status }: { id: string, status: ItemStatus }
): Edit | undefined => {
  const { tasks, offset } = listOf(text, tag)
  const value = valueOf(taskNode(tasks, id), 'status')
  if (value?.type !== 'string') return undefined
  const words = statusWords(tasks).find((word) => {
    const known = knownStatus(word)
    return known?.status === status && known.remark === ''
  }) ?? WORDS[status]
  return { at: offset + value.offset + 1, length: value.length - 2, text: words }
}

/** Adds a task with a number as id, or a subtask such as `3.2`, indented as the last one, or as the first of a task. */
export const addToList = (
  file: FileText, tag: string | undefined, { id, title }: { id: string, title: string }
): Edit | undefined => {
  const { tasks, offset } = listOf(file.text, tag)
  const [, parent, number] = /^(?:(\d+)\.)?(\d+)$/.exec(id) ?? []
  const whole = parent === undefined ? undefined : taskNode(tasks, parent)
  const list = parent === undefined ? tasks : valueOf(whole, 'subtasks')
  const last = list?.children?.at(-1)
  const like = last ?? whole
  const name = file.inserted(JSON.stringify(title))
  if (like?.type !== 'object' || list?.value || number === undefined || name === undefined) return undefined
  const isText = valueOf(like, 'id')?.type === 'string'
  const fields = [
    `"id": ${isText ? `"${number}"` : number}`, `"title": ${name}`, '"description": ""',
    `"status": "${WORDS.todo}"`, '"dependencies": []'
  ]
  const indent = (at: number | undefined): string =>
    /(?:\r\n|\r|\n)[ \t]*$/.exec(file.text.slice(0, offset + (at ?? 0)))?.[0] ?? ''
  const [beside, within] = [indent(like.offset), indent(like.children?.[0]?.offset)]
  const step = within.slice(beside.length).replace(/^[\r\n]+/, '')
  // The first subtask is two steps deeper than its task.
  const [outer, inner] = last ? [beside, within] : [within && within + step, within && within + step + step]
  const task = inner === ''
    ? `{${fields.join(', ')}}`
    : `{${fields.map((field) => inner + field).join(',')}${outer}}`
  const first = `[${outer}${task}${within}]`
  if (list && !last) return { at: offset + list.offset, length: list.length, text: first }
  const { offset: end = 0, length = 0 } = last ?? like.children?.at(-1) ?? {}
  const text = last ? `,${outer || ' '}${task}` : `,${within || ' '}"subtasks": ${first}`
  return { at: offset + end + length, length: 0, text }
}

/** The nodes count from behind the byte order mark. */
const listOf = (text: string, tag: string | undefined): { tasks: Node | undefined, offset: number } => {
  const offset = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/.exec(text)?.[0].length ?? 0
  const root = parseTree(text.slice(offset))
  const path = tag === undefined ? ['tasks'] : [tag, 'tasks']
  return { tasks: root && (root.type === 'array' ? root : findNodeAtLocation(root, path)), offset }
}

const valueOf = (task: Node | undefined, field: string): Node | undefined => task && findNodeAtLocation(task, [field])

const taskNode = (tasks: Node | undefined, id: string): Node | undefined => {
  const named = (list: Node | undefined, wanted: string): Node | undefined =>
    list?.children?.find((task) => String(valueOf(task, 'id')?.value) === wanted)
  const whole = named(tasks, id)
  if (whole) return whole
  const [, parent, sub] = /^(.+)\.([^.]+)$/.exec(id) ?? []
  const list = parent === undefined ? undefined : valueOf(named(tasks, parent), 'subtasks')
  return named(list, sub ?? '') ?? named(list, id)
}

const statusWords = (tasks: Node | undefined): string[] => (tasks?.children ?? []).flatMap((task) => {
  const word: unknown = valueOf(task, 'status')?.value
  return [...typeof word === 'string' ? [word] : [], ...statusWords(valueOf(task, 'subtasks'))]
})
