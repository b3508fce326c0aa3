/** `workspaces update`: sets what agents may do in a workspace. */
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import { NOUN_OF_KIND } from '../../access/credentials/credentials.js'
import { isWider, POLICY_WORDS, type AgentPolicy } from '../../planning/agent-policy.js'
import type { CommandHandler } from '../cli-context.js'
import { requireConsent } from '../confirm.js'
import { print, stripControlChars } from '../print/print.js'
import { table } from '../print/table.js'
import { withManagement } from '../with-management.js'

type Writer = ResponseOf<SocketOperations['GET /workspaces/:id/writers']>['writers'][number]

/** Where agents may do more, it says who gains and asks, unless `yes` or `json` is given. */
export const updateWorkspace: CommandHandler<{ workspace: string, agents: AgentPolicy, yes?: true }> = async (
  { workspace, agents, yes = false, json }, context, flags
) => {
  let couldWrite = false
  const changed = await withManagement(context, flags, async (api) => {
    const params = { id: workspace }
    if (!json) {
      const { workspaces } = await api.call('GET /admin/workspaces')
      const before = workspaces.find(({ id, slug }) => id === workspace.toLowerCase() || slug === workspace)
      couldWrite = before?.agents === 'propose'
      if (!yes && before && isWider(agents, before.agents)) {
        const { writers } = await api.call('GET /workspaces/:id/writers', { params })
        context.stderr.write(`${gainsText(writers, couldWrite)}\n`)
        await requireConsent(context, `Set agents of ${stripControlChars(before.slug)} to ${agents}?`)
      }
    }
    return await api.call('PATCH /workspaces/:id', { params, body: { agents } })
  })
  const { slug, gains } = changed
  print({ ...context, json }, changed, `${stripControlChars(slug)}: ${POLICY_WORDS[changed.agents]}.` +
    `${yes && gains ? `\n${gainsText(gains, couldWrite)}` : ''}`)
}

const gainsText = (writers: readonly Writer[], couldWrite: boolean): string => writers.length === 0
  ? 'No credential or connection gains by it now.'
  : `${couldWrite ? 'What these report as done will count at once' : 'These gain writing by it'}:\n${table(writers, [
      ['NAME', ({ name }) => name], ['KIND', ({ kind }) => NOUN_OF_KIND[kind]], ['OWNER', ({ owner }) => owner]
    ])}`
