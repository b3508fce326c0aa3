/** Questions that agents ask and people answer. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../lib/errors.js'
import type { Change } from './change.js'
import { isLive } from './complete-item.js'
import type { Answer } from './change-store.js'
import type { Author, State } from './records.js'
import { WriteRefusal } from './refusals.js'

const MAX_QUESTIONS = 1000

export interface QuestionInput { item_id?: string, question: string, options?: string[], blocks_item?: boolean }

/** Asks a question; the same open one again is not asked twice. @throws {WriteRefusal} */
export const askQuestion = async (
  change: Change, { item_id: item, question, options = [], blocks_item: blocks = false }: QuestionInput
): Promise<Answer> => {
  const { store } = change
  const known = await store.sameQuestion(question, options)
  if (known !== undefined) return { question_id: known }
  if (blocks && item === undefined) throw new WriteRefusal('unknown_item', 'blocks_item needs the item_id that waits.')
  const about = item === undefined ? undefined : await change.item(item)
  if (blocks && about && isLive(about.lease) && about.lease.credential_id !== change.actor?.credential?.id) {
    throw new WriteRefusal('not_held', 'Another agent holds this item: ask without blocks_item.')
  }
  if (await store.count('questions', null, MAX_QUESTIONS) >= MAX_QUESTIONS) {
    throw new WriteRefusal('too_many_open', `The exploration has ${MAX_QUESTIONS} questions, and can have no more.`)
  }
  const id = randomUUID()
  await change.set('question', id, {
    position: await store.nextPosition('question'),
    id,
    section: null,
    question,
    options: options.length > 0 ? options : null,
    answer: null,
    status: 'open',
    item_id: item ?? null,
    blocks_item: blocks,
    asked_by: change.author,
    answered_by: null,
    created_at: new Date().toISOString(),
    answered_at: null
  })
  if (blocks && about && about.status !== 'done') {
    await change.set('item', about.id, {
      status: 'blocked', status_before_question: about.status_before_question ?? about.status
    })
  }
  return { question_id: id }
}

/** Answers a question, which may end a block. @throws {Refusal} also for an answered one, unless it `replaces` that */
export const answerQuestion = async (change: Change, id: string, answer: string, replaces = true): Promise<State> => {
  const question = await change.store.read('question', id)
  if (!question) throw new Refusal(`The exploration has no question ${JSON.stringify(id)}.`, 'not_found')
  const { item_id: item, blocks_item: blocks, status, answered_by: by, answered_at: at } = question
  if (!replaces && status === 'answered') {
    // The column of a question; one from a file may have neither author nor time.
    const who = (by as Author | null)?.user ?? 'An import'
    throw new Refusal(`${who} answered it already${typeof at === 'string' ? `, at ${at}` : ''}: undo that first, or ` +
      'change the answer on the page of the exploration.', 'conflict')
  }
  const answered = {
    ...question, answer, status: 'answered', answered_by: change.author, answered_at: new Date().toISOString()
  }
  await change.set('question', id, answered, {
    events: [{
      kind: 'answered',
      question_id: id,
      ...(typeof item === 'string' && { item_id: item }),
      text: answer
    }]
  })
  if (blocks === true && typeof item === 'string') await unblock(change, item)
  return answered
}

const unblock = async (change: Change, id: string): Promise<void> => {
  if ((await change.store.blockingQuestions(id)).length > 0) return
  const item = await change.store.read('item', id)
  if (item?.['status'] !== 'blocked') return
  await change.set('item', id, { status: item['status_before_question'] ?? 'todo', status_before_question: null })
}
