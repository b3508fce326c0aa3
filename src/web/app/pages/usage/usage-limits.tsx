/** Credentials whose use is nearest to a limit. */
import type { Answer } from '../../api/call.js'
import { Meter } from '../../components/meter.js'
import { EmptyState, SkeletonText } from '../../components/states.js'
import { formatNumber } from '../../lib/format-number.js'

type Limit = Answer<'GET /usage'>['limits'][number]

/** Draws them as bars. */
export const UsageLimits = ({ limits }: { limits: readonly Limit[] | undefined }) => {
  if (limits === undefined) return <div class='usage-padded'><SkeletonText lines={3} /></div>
  if (limits.length === 0) return <EmptyState icon='check' title='No credential is near a limit' />
  return (
    <ul class='bars'>
      {limits.map(({ credential, window, used, cap }) => (
        <li key={`${credential.id} ${window}`} class='limit'>
          <div>
            <p class='limit-name'>{credential.name}</p>
            <p class='limit-note'>
              {/* The hint of an application changes with each of its tokens. */}
              {credential.kind !== 'connection' && <><code>{credential.hint}…</code> </>}
              per {window}, at most {formatNumber(cap)}
            </p>
          </div>
          <Meter used={used} cap={cap} label={`Calls of ${credential.name} this ${window}`} />
        </li>
      ))}
    </ul>
  )
}
