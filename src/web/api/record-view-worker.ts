/** The thread that makes the answers which hold texts of records. */
import { parentPort } from 'node:worker_threads'
import { explorationView } from './exploration-view.js'
import { packageView } from './package-view.js'
import { planView } from './plan-view.js'

const VIEWS = { exploration: explorationView, package: packageView, plan: planView }

export type RecordViews = typeof VIEWS
/** To the thread. */
export type ViewRequest =
  { [Name in keyof RecordViews]: { name: Name, parts: Parameters<RecordViews[Name]>[0] } }[keyof RecordViews]
/** From the thread. */
export type ViewAnswer = { json: string } | { fault: string }

const viewOf = (request: ViewRequest): ReturnType<RecordViews[keyof RecordViews]> => {
  switch (request.name) {
    case 'exploration': return VIEWS.exploration(request.parts)
    case 'package': return VIEWS.package(request.parts)
    case 'plan': return VIEWS.plan(request.parts)
  }
}

const answerOf = (request: ViewRequest): ViewAnswer => {
  try {
    return { json: JSON.stringify(viewOf(request)) }
  } catch (error) {
    // Thrown on, it would end the thread, and with it the answers of others.
    return { fault: String(error) }
  }
}

parentPort?.on('message', (request: ViewRequest) => { parentPort?.postMessage(answerOf(request)) })
