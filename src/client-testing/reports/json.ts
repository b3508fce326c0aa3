/** The report as JSON: the shape that schemas/report.json publishes. */
import { escapeInvisible } from '../../lib/text/invisible.js'
import type { Report } from './report.js'

/** Returns the report as JSON. Control and invisible characters are escaped. */
export const toJson = (report: Report): string =>
  `${JSON.stringify(report, undefined, 2).split('\n').map(escapeInvisible).join('\n')}\n`
