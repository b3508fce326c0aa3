/** The tools that every caller is shown. The others are there where a workspace lets agents write. */
import { tools } from '../../src/planning/tools/index.js'

export const readingTools = tools.filter(({ scope = 'read' }) => scope === 'read')
