/** The thread that makes the answers which hold texts of records. */
import { serveWorker } from '../../lib/async/worker-thread.js'
import { explorationView } from './exploration-view.js'
import { packageView } from './package-view.js'
import { planView } from './plan-view.js'

const VIEWS = { exploration: explorationView, package: packageView, plan: planView }

export type RecordViews = typeof VIEWS
/** To the thread. */
export type ViewRequest =
  { [Name in keyof RecordViews]: { name: Name, parts: Parameters<RecordViews[Name]>[0] } }[keyof RecordViews]

const viewOf = (request: ViewRequest): ReturnType<RecordViews[keyof RecordViews]> => {
  switch (request.name) {
    case 'exploration': return VIEWS.exploration(request.parts)
    case 'package': return VIEWS.package(request.parts)
    case 'plan': return VIEWS.plan(request.parts)
  }
}

serveWorker(async (request: ViewRequest) => JSON.stringify(viewOf(request)))
