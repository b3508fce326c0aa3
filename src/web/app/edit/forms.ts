/** The forms that there are. The id of each is that of the record that it changes, where it does not say otherwise. */
import { call } from '../api/call.js'
import { EXPLORATION_STATUSES, sentenceCase } from '../lib/words.js'
import { STATUS_LABELS } from '../plan/plan-words.js'
import type { Change, Field, Filled, Form, Started, Subject } from './form.js'

interface Titled { id: string, title: string }
interface Summary { kind: string, text: string }

const TITLE: Field = { name: 'title', label: 'Title', kind: 'line', required: true }
const TEXT: Field = { name: 'markdown', label: 'Text', kind: 'markdown', required: true }
const ITEM: readonly Field[] = [
  TITLE,
  { name: 'description', label: 'Description', kind: 'markdown' },
  { name: 'acceptance', label: 'Acceptance criteria', kind: 'criteria' }
]

const select = (name: string, label: string, options: Field['options']): Field =>
  ({ name, label, kind: 'select', options })
const words = (values: readonly string[]) => values.map((value) => ({ value, label: sentenceCase(value) }))
const titles = (rows: readonly Titled[] = []) => rows.map(({ id, title }) => ({ value: id, label: title }))
const types = (values: readonly string[]): Field => select('type', 'Kind of package', words(values))

const itemOf = ({ plan, id }: Subject) => plan?.items.find((item) => item.id === id)
const waitsFor = ({ plan, id }: Subject): string[] =>
  plan?.dependencies.filter(({ item_id: item }) => item === id).map(({ depends_on: on }) => on) ?? []
/** No id. */
const FIRST = ' '
const after = ({ plan, id }: Subject, group = ''): Field => select('after_item_id', 'After', [
  { value: '', label: 'All items of the group' },
  { value: FIRST, label: 'None: it is the first' },
  ...titles(plan?.items.filter((item) => item.group_id === group && item.id !== id))
])
const summariesOf = ({ record }: Started): Summary[] => {
  const all = record['summaries'] as Summary[]
  return all.length > 0 ? all : [{ kind: 'summary', text: '' }]
}
const placeAfter = (place = ''): string | undefined => place === '' ? undefined : place.trim()
/** The members of a change of an item; empty criteria are left out. */
const itemChange = ({ acceptance, after_item_id: place, ...texts }: Filled['mine']) => ({
  ...texts,
  after_item_id: placeAfter(place),
  ...acceptance !== undefined && {
    acceptance: (JSON.parse(acceptance) as Array<{ text: string }>).filter(({ text }) => text.trim() !== '')
  }
})

export const FORMS: Readonly<Record<string, Form>> = {
  new: {
    title: 'New exploration',
    values: ({ workspaces: [first] }) => ({ workspace: first?.value ?? '', type: 'design' }),
    fields: ({ workspaces }) => [
      TITLE,
      select('workspace', 'Workspace', workspaces),
      { name: 'markdown', label: 'First document', kind: 'markdown', hint: 'Markdown; you can leave it out.' },
      types(['design', 'code'])
    ],
    async send ({ values: { title = '', workspace = '', type, markdown = '' } }) {
      const document = { artifact_type: type === 'code' ? type : 'design', markdown } as const
      const { id } = await call('POST /explorations', {
        body: { workspace_id: workspace, title, ...markdown.trim() !== '' && { package: document } }
      })
      return `/explorations/${id}`
    }
  },
  details: {
    title: 'Edit exploration',
    record: 'exploration',
    values: (started) => ({
      title: String(started.record['title']),
      status: String(started.record['status']),
      tags: (started.record['tags'] as string[]).join(', '),
      ...Object.fromEntries(summariesOf(started).map(({ text }, at) => [`summary ${at}`, text]))
    }),
    fields: (started) => [
      TITLE,
      select('status', 'Status', words(EXPLORATION_STATUSES)),
      { name: 'tags', label: 'Tags', kind: 'line', hint: 'Separated by commas.' },
      ...summariesOf(started).map(({ kind }, at): Field =>
        ({ name: `summary ${at}`, label: sentenceCase(kind), kind: 'markdown' }))
    ],
    changes: (filled) => {
      const { values, mine: { title, status, tags, ...texts } } = filled
      const summaries = summariesOf(filled).map(({ kind }, at) => ({ kind, text: values[`summary ${at}`] ?? '' }))
      return [{
        kind: 'edit_exploration',
        title,
        status,
        tags: tags?.split(',').map((tag) => tag.trim()).filter((tag, at, all) => tag !== '' && all.indexOf(tag) === at),
        summaries: Object.keys(texts).length > 0 ? summaries.filter(({ text }) => text.trim() !== '') : undefined
      }]
    }
  },
  ask: {
    title: 'Ask a question',
    about: (started) => itemOf(started)?.title,
    fields: () => [{ name: 'question', label: 'Question', kind: 'text', required: true }],
    changes: ({ id, mine }) => [{ kind: 'ask_question', ...mine, item_id: id === '' ? undefined : id }]
  },
  answer: {
    title: 'Answer a question',
    record: 'question',
    about: ({ record }) => record['question'],
    values: ({ record }) => ({ answer: String(record['answer'] ?? '') }),
    fields: () => [{ name: 'answer', label: 'Answer', kind: 'markdown', required: true }],
    changes: ({ id, mine }) => [{ kind: 'answer_question', question_id: id, ...mine }]
  },
  package: {
    title: 'Edit package',
    record: 'package',
    values: ({ record }) => ({ markdown: String(record['markdown']) }),
    fields: () => [TEXT],
    changes: ({ id, mine }) => [{ kind: 'write_package', artifact_type: id, ...mine }]
  },
  // Its id: the kinds that there are not yet.
  write: {
    title: 'Write a package',
    values: ({ id }) => ({ type: id.split(',')[0] ?? '' }),
    fields: ({ id }) => [types(id.split(',')), TEXT],
    changes: ({ values: { type, markdown } }) => [{ kind: 'write_package', artifact_type: type, markdown }]
  },
  item: {
    title: 'Edit item',
    record: 'item',
    values: ({ record: { title, description, acceptance } }) =>
      ({ title: String(title), description: String(description ?? ''), acceptance: JSON.stringify(acceptance ?? []) }),
    fields: () => ITEM,
    changes: ({ id, mine }) => [{ kind: 'edit_item', item_id: id, ...itemChange(mine) }]
  },
  // Its id is that of a group.
  add: {
    title: 'Add an item',
    about: ({ plan, id }) => plan?.groups.find((group) => group.id === id)?.title,
    fields: (started) => [...ITEM, after(started, started.id)],
    changes: ({ id, mine }) => [{ kind: 'add_item', group_id: id, ...itemChange(mine) }]
  },
  state: {
    title: 'State and note',
    record: 'item',
    about: ({ record }) => record['title'],
    values: ({ record }) => ({ status: String(record['status']) }),
    fields: () => [
      select('status', 'State', words(Object.keys(STATUS_LABELS))), { name: 'note', label: 'Note', kind: 'text' }
    ],
    changes: ({ id, mine: { status, note } }) => status === undefined
      ? [{ kind: 'add_note', item_id: id, text: note }]
      : [{ kind: 'set_item', item_id: id, status, note }]
  },
  move: {
    title: 'Move item',
    about: (started) => itemOf(started)?.title,
    values: (started) => ({ group: itemOf(started)?.group_id ?? '' }),
    fields: (started, { group }) => [select('group', 'Group', titles(started.plan?.groups)), after(started, group)],
    changes: ({ id, values: { group, after_item_id: place } }) =>
      [{ kind: 'move_item', item_id: id, group_id: group, after_item_id: placeAfter(place) }]
  },
  depends: {
    title: 'What it waits for',
    about: (started) => itemOf(started)?.title,
    values: (started) => ({ kept: JSON.stringify(waitsFor(started)) }),
    fields: (started) => {
      const now = waitsFor(started)
      const others = started.plan?.items.filter(({ id }) => id !== started.id && !now.includes(id))
      const kept = titles(started.plan?.items.filter(({ id }) => now.includes(id)))
      return [
        ...kept.length > 0 ? [{ name: 'kept', label: 'Waits for', kind: 'checks', options: kept } as const] : [],
        select('more', 'Add', [{ value: '', label: 'Choose an item' }, ...titles(others)])
      ]
    },
    changes: (filled) => {
      const change = (kind: string, on: string): Change => ({ kind, item_id: filled.id, depends_on: on })
      const { kept = '[]', more = '' } = filled.values
      const gone = waitsFor(filled).filter((on) => !(JSON.parse(kept) as string[]).includes(on))
      const added = more === '' ? [] : [change('add_dependency', more)]
      return [...gone.map((on) => change('remove_dependency', on)), ...added]
    }
  },
  resolve: {
    title: 'Resolve a conflict',
    about: ({ plan, id }) => plan?.conflicts.find((conflict) => conflict.id === id)?.description,
    fields: () => [{ name: 'resolution', label: 'Resolution', kind: 'text', required: true }],
    changes: ({ id, mine }) => [{ kind: 'resolve_conflict', conflict_id: id, ...mine }]
  }
}
