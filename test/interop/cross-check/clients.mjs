// The official clients of the matrix, with the revision in which each speaks.
import { CLIENTS } from '../matrix/clients.mjs'

const REVISIONS = {
  'typescript-1': '2025-11-25', 'typescript-2': '2026-07-28', 'typescript-2-legacy': '2025-11-25', python: '2026-07-28', 'python-legacy': '2025-11-25'
}

/** Those in Python only where CROSS_CHECK is `all`: each of their 300 starts computes for a second. */
export const CROSS_CHECKED = CLIENTS.filter(({ id, installed }) => installed && id in REVISIONS && (process.env.CROSS_CHECK === 'all' || !id.startsWith('python'))).map((client) => ({ ...client, revision: REVISIONS[client.id] }))
export const ALL_INSTALLED = CROSS_CHECKED.length === Object.keys(REVISIONS).length
