/** Lists of the page of usage: why calls were turned away, and credentials whose use is nearest to a limit. */
import type { Answer } from '../../api/call.js'
import { Meter } from '../../components/meter.js'
import { EmptyState, SkeletonText } from '../../components/states.js'
import { formatNumber } from '../../lib/format-number.js'
import { sentenceCase } from '../../lib/words.js'

type RefusalCount = Answer<'GET /usage'>['refusals'][number]

export const Refusals = ({ refusals }: { refusals: readonly RefusalCount[] | undefined }) => {
  if (refusals === undefined) return <div class='usage-padded'><SkeletonText lines={3} /></div>
  if (refusals.length === 0) return <EmptyState icon='check' title='Nothing was refused' />
  const max = Math.max(...refusals.map(({ count }) => count))
  return (
    <ul class='bars'>
      {refusals.map(({ reason, count }) => (
        <li key={reason} class='bar'>
          <span>{sentenceCase(reason)}</span>
          <span class='bar-value'>{formatNumber(count)}</span>
          <svg class='bar-track' viewBox='0 0 100 4' preserveAspectRatio='none' aria-hidden='true'>
            <rect width='100' height='4' class='bar-ground' />
            <rect width={Math.max(1, count / max * 100)} height='4' class='bar-fill' />
          </svg>
        </li>
      ))}
    </ul>
  )
}

type Limit = Answer<'GET /usage'>['limits'][number]

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
