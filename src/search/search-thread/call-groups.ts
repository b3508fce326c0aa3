/**
 * Serves the calls of the thread of search. Questions that wait together are answered one after the other, and their
 * answers leave in one message: whoever asked them goes on together, with one audit statement and one read of the next
 * credentials for all of them.
 */
import { nextTurn } from '../../lib/next-turn.js'

/** Questions that are answered together at most: their replies hold the event loop together. */
const MAX_GROUP = 2
/** An answer waits so many milliseconds for the others at most, and until the call that is served then has ended. */
const MAX_HELD_MS = 10

export interface CallGroupsOptions<Call, Answer> {
  /** Whether somebody waits for its answer; other calls are served beside the questions. */
  isQuestion: (call: Call) => boolean
  /** Serves a call; it does not reject. */
  serve: (call: Call) => Promise<Answer>
  send: (answers: Answer[]) => void
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** Creates a function that accepts calls. */
export const createCallGroups = <Call, Answer>(
  { isQuestion, serve, send, now = () => performance.now() }: CallGroupsOptions<Call, Answer>
): (call: Call) => void => {
  const waiting: Call[] = []
  let serving = false

  const serveGroup = async (): Promise<void> => {
    let answers: Answer[] = []
    let since = now()
    for (const call of waiting.splice(0, MAX_GROUP)) {
      answers.push(await serve(call))
      if (now() - since < MAX_HELD_MS) continue
      send(answers)
      answers = []
      since = now()
    }
    if (answers.length > 0) send(answers)
  }

  // The group is taken when all messages of this turn of the event loop have been received.
  const serveAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      await nextTurn()
      await serveGroup()
    }
    serving = false
  }

  const throwLater = (error: unknown): void => { setImmediate(() => { throw error }) }

  return (call) => {
    if (!isQuestion(call)) {
      serve(call).then((answer) => send([answer])).catch(throwLater)
      return
    }
    waiting.push(call)
    if (serving) return
    serving = true
    serveAll().catch(throwLater)
  }
}
