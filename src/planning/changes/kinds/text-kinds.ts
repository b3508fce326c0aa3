/** Changes of texts that agents propose and people make: packages, recommendations, answers. */
import { randomUUID } from 'node:crypto'
import type { Change } from '../change.js'
import { answerQuestion } from '../questions.js'
import { WriteRefusal } from '../refusals.js'
import { requireRecord, text, type ChangeKind } from './kind.js'

export const TEXT_KINDS = {
  edit_package: {
    needs: ['artifact_type', 'find', 'replace'],
    of: ['package', 'artifact_type'],
    async base (change, made, type) {
      const { markdown, version } = await requireRecord(change, 'package', type)
      // An import proposes the whole text.
      if (typeof made['markdown'] === 'string') return { version }
      once(markdown, text(made, 'find'))
    },
    async apply (change, made, type) {
      const { markdown } = await requireRecord(change, 'package', type)
      await writePackage(change, type, typeof made['markdown'] === 'string'
        ? made['markdown']
        : once(markdown, text(made, 'find')).join(text(made, 'replace')))
    }
  },
  add_recommendation: {
    needs: ['title', 'body'],
    may: ['recommendation_kind'],
    maxTitle: 1000,
    async apply (change, made) {
      const id = randomUUID()
      await change.set('recommendation', id, {
        id,
        kind: made['recommendation_kind'] ?? 'recommendation',
        title: made['title'],
        body: made['body'],
        status: 'approved',
        approved_by: change.actor?.user.id ?? null,
        approved_at: new Date().toISOString()
      })
      return { recommendation_id: id }
    }
  },
  answer_question: {
    needs: ['question_id', 'answer'],
    of: ['question', 'question_id'],
    sets: ['answer'],
    apply: async (change, made, id) => { await answerQuestion(change, id, text(made, 'answer')) }
  }
} as const satisfies Record<string, ChangeKind>

/** Writes the next version of a package, the first where there is none. */
export const writePackage = async (change: Change, type: string, markdown: string, undoes?: string): Promise<void> => {
  const before = await change.store.read('package', type)
  const next = Number(before?.['version'] ?? 0) + 1
  const updated = new Date().toISOString()
  await change.set('package', type, { artifact_type: type, markdown, version: next, updated_at: updated }, {
    undoes, events: [{ kind: 'package_version', text: `${type}, version ${next}` }]
  })
}

const once = (markdown: unknown, find: string): [string, string] => {
  const whole = String(markdown)
  const at = whole.indexOf(find)
  const end = at + find.length
  if (at !== -1 && !whole.includes(find, end)) return [whole.slice(0, at), whole.slice(end)]
  throw new WriteRefusal('text_not_unique', `"find" stands ${at === -1 ? 'nowhere' : 'more than once'} in the ` +
    'package: give a text that stands there exactly once.')
}
