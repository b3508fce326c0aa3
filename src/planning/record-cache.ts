/**
 * Remembers what was read of explorations and workspaces, for as long as it is proven unchanged.
 *
 * Each workspace has a revision in the database: every transaction that changes anything of its records writes another
 * one, by triggers, in its own commit. The statement that verifies the credential of a request also reads the
 * revisions of the workspaces that the caller can see at that moment. A remembered value has the id of its workspace
 * and a revision that was read before the value. It is given to a caller only when the caller's own revision of that
 * workspace is equal. Then nothing was committed between the two readings, and the caller can see the workspace. So a
 * change that was committed before a request began is always seen, no matter who made it, and so is the loss of access.
 */
import type { WorkspaceRevisions } from '../lib/principal.js'

export type RecordCache = ReturnType<typeof createRecordCache>

interface Entry { workspace: string, revision: string, value: unknown, bytes: number }

/**
 * A value is held as an object, and by those who derive results from it as an object, as text and as bytes of JSON:
 * that is how many bytes there are for each character of its JSON.
 */
const BYTES_PER_CHARACTER = 5
const BYTES_PER_ENTRY = 500
/** A larger one would push out too many others. */
const MAX_SHARE = 1 / 16

/** For how long after their reading revisions prove anything, such as for a call that waited. */
const MAX_PROOF_AGE_MS = 1000

export const createRecordCache = (maxBytes = 32 * 2 ** 20) => {
  // The least recently used first.
  const entries = new Map<string, Entry>()
  let total = 0

  const remove = (key: string, entry: Entry): void => {
    entries.delete(key)
    total -= entry.bytes
  }

  return {
    get (
      key: string, { readAt, byWorkspace }: WorkspaceRevisions
    ): Pick<Entry, 'workspace' | 'value'> | undefined {
      const entry = entries.get(key)
      if (!entry || byWorkspace.get(entry.workspace) !== entry.revision) return undefined
      if (performance.now() - readAt > MAX_PROOF_AGE_MS) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },

    /** Remembers a value that was read after the revisions, unless the caller cannot see its workspace. */
    set (key: string, workspace: string, value: unknown, { byWorkspace }: WorkspaceRevisions): void {
      const revision = byWorkspace.get(workspace)
      if (revision === undefined) return
      const former = entries.get(key)
      if (former) remove(key, former)
      const bytes = (key.length + JSON.stringify(value).length) * BYTES_PER_CHARACTER + BYTES_PER_ENTRY
      if (bytes > maxBytes * MAX_SHARE) return
      entries.set(key, { workspace, revision, value, bytes })
      total += bytes
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes) break
        remove(oldest, entry)
      }
    }
  }
}
