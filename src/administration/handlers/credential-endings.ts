/** Handlers: many credentials and sessions ended at once, by the command line. */
import { readRevocations } from '../../access/audit/revocations.js'
import { linesOf } from '../../importers/records/lines.js'
import type { HandlersOf } from '../handler.js'
import type { administrationOperations } from '../operations/administration.js'
import type { ManagementPorts } from '../ports.js'
import { answerWith } from './imports.js'

const UNLIMITED = { maxBytes: Infinity, maxLines: Infinity }

/** Returns the handlers by method and path. */
export const credentialEndingsHandlers = (
  { credentialEndings }: Pick<ManagementPorts, 'credentialEndings'>
): HandlersOf<typeof administrationOperations, `POST /admin/credentials/${'replay' | 'end'}`> => ({
  'POST /admin/credentials/replay': ({ request, reply, actor, record }) =>
    answerWith(request, reply, async (source, _onProgress, signal) => {
      const revocations = await readRevocations(linesOf(source, { limits: UNLIMITED, signal }))
      const ended = await credentialEndings.replay(revocations, actor)
      await record('credentials/replayed')
      return { ended }
    }),

  'POST /admin/credentials/end': async ({ body: { issued_before: time }, actor, record }) => {
    const ended = await credentialEndings.endIssuedBefore(time, actor)
    await record('credentials/ended', { target: `issued before ${time}` })
    return { ended }
  }
})
