/** Changes that only people make, in the pages; agents have tools for some of them. */
import { Refusal } from '../../../lib/errors.js'
import { isArtifactType } from '../../records.js'
import { setStatus } from '../complete-item.js'
import { addNote } from '../notes.js'
import { askQuestion } from '../questions.js'
import type { ItemState } from '../records.js'
import { membersAmong, optionalText, requireOther, text, type ChangeKind } from './kind.js'
import { writePackage } from './text-kinds.js'

const FIELDS = ['title', 'status', 'tags', 'summaries']
const ITEM = ['item', 'item_id'] as const

export const PEOPLE_KINDS = {
  edit_exploration: {
    needs: [],
    may: FIELDS,
    some: true,
    statuses: ['draft', 'exploring', 'ready', 'delivered', 'archived'],
    maxTitle: 500,
    of: ['exploration', ''],
    replaces: true,
    sets: FIELDS,
    async apply (change, made, id) {
      await change.set('exploration', id, { ...membersAmong(made, FIELDS), updated_at: new Date().toISOString() })
    }
  },
  write_package: {
    needs: ['artifact_type', 'markdown'],
    of: ['package', 'artifact_type'],
    replaces: true,
    async base (change, made, type) {
      if (!isArtifactType(type)) throw new Refusal('A package has a type such as design or code.')
      requireOther((await change.store.read('package', type))?.['markdown'] === made['markdown'])
    },
    apply: async (change, made, type) => { await writePackage(change, type, text(made, 'markdown')) }
  },
  ask_question: {
    needs: ['question'],
    may: ['item_id'],
    apply: async (change, made) =>
      await askQuestion(change, { question: text(made, 'question'), ...membersAmong(made, ['item_id']) })
  },
  decide_recommendation: {
    needs: ['recommendation_id', 'status'],
    statuses: ['approved', 'rejected'],
    of: ['recommendation', 'recommendation_id'],
    sets: ['status'],
    async apply (change, made, id) {
      const isApproved = made['status'] === 'approved'
      await change.set('recommendation', id, {
        status: made['status'],
        approved_by: isApproved ? change.actor?.user.id ?? null : null,
        approved_at: isApproved ? new Date().toISOString() : null
      })
    }
  },
  set_item: {
    needs: ['item_id', 'status'],
    may: ['note'],
    statuses: ['todo', 'in_progress', 'blocked', 'done'],
    of: ITEM,
    replaces: true,
    sets: ['status'],
    async apply (change, made, id) {
      await setStatus(change, await change.item(id), made['status'] as ItemState['status'], {
        note: optionalText(made, 'note')
      })
    }
  },
  add_note: {
    needs: ['text'],
    may: ['item_id'],
    apply: async (change, made) =>
      await addNote(change, { text: text(made, 'text'), ...membersAmong(made, ['item_id']) })
  },
  release_item: {
    needs: ['item_id'],
    of: ITEM,
    async base (change, _made, id) {
      const { lease, finished } = await change.item(id)
      if (lease === null || finished !== null) throw new Refusal('Nobody holds this item.', 'conflict')
    },
    async apply (change, _made, id) {
      const { status } = await change.item(id)
      await change.set('item', id, { lease: null, ...(status === 'in_progress' && { status: 'todo' }) }, {
        as: 'lease',
        raise: false,
        events: [{ kind: 'lease_ended', item_id: id, text: `released by ${change.author.user}` }]
      })
    }
  }
} as const satisfies Record<string, ChangeKind>
