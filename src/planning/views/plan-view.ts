/** The document that hosts show for `get_planning_state`: it asks them for the plan, with the rights of the caller. */
import { existsSync, readFileSync } from 'node:fs'
import { VIEW_MIME_TYPE } from '../../engine/views/view.js'
import type { PlanningResource } from '../tools/planning-tool.js'

export const PLAN_VIEW_URI = 'ui://exploration-mcp/plan'

const HOUR = 3_600_000
/** Where the build puts the document: beside the compiled server; or for a server that runs from its sources. */
const FILES = ['../../web/mcp-app/plan.html', '../../../dist/web/mcp-app/plan.html']
  .map((path) => new URL(path, import.meta.url))

/** Returns the document; undefined when it was not built, as in a source tree before `npm run build`. */
export const readPlanDocument = (): string | undefined => {
  const file = FILES.find((url) => existsSync(url))
  return file && readFileSync(file, 'utf8')
}

/** Creates the resource of the document, which needs nothing from elsewhere; people decide at `pagesUrl`. */
export const planViewResource = (document: string, pagesUrl: string | undefined): PlanningResource => {
  const text = pagesUrl === undefined
    ? document
    : document.replace('<html ', () => `<html data-pages="${encodeURI(pagesUrl)}" `)
  return {
    template: PLAN_VIEW_URI,
    name: 'plan-view',
    title: 'Plan as a picture',
    description: 'Shows a plan as a picture, for people.',
    mimeType: VIEW_MIME_TYPE,
    ttlMs: HOUR,
    view: { csp: {}, prefersBorder: false },
    read: async () => ({ mimeType: VIEW_MIME_TYPE, text })
  }
}
