/** A plan in a few lines: what is drawn while the whole plan is on its way, or cannot be had. */
import { countOf, formatNumber } from '../lib/format.js'
import { GlyphIcon, StatusGlyph } from '../plan/glyphs.js'
import { plainText } from '../plan/plain-text.js'
import { STATUS_LABELS } from '../plan/plan-words.js'
import type { ItemStatus } from '../plan/plan-record.js'
import type { PlanProgress } from './plan-pages.js'

const MAX_SHOWN = 10
const STATUSES: readonly ItemStatus[] = ['done', 'in_progress', 'blocked', 'todo']

export const ProgressCard = (
  { progress: { counts: { items: { total, ...counts } }, ready, blocking } }: { progress: PlanProgress }
) => (
  <div class='app-progress'>
    <p class='app-progress-sentence'>{formatNumber(counts.done)} of {countOf(total, 'item')} done</p>
    <div class='app-bar' aria-hidden='true'>
      {STATUSES.filter((status) => counts[status] > 0).map((status) => (
        <span key={status} class={`app-bar-${status}`} style={{ flexGrow: counts[status] }} />
      ))}
    </div>
    <ul class='app-counts'>
      {STATUSES.filter((status) => counts[status] > 0).map((status) => (
        <li key={status}>
          <GlyphIcon><StatusGlyph status={status} /></GlyphIcon>
          {formatNumber(counts[status])} {STATUS_LABELS[status]}
        </li>
      ))}
    </ul>
    {ready.length > 0 && (
      <section>
        <h2 class='app-subtitle'>Can start now</h2>
        <ol class='app-list'>
          {ready.slice(0, MAX_SHOWN).map(({ title }, at) => (
            <li key={at}><GlyphIcon><StatusGlyph status='todo' ready /></GlyphIcon><span>{plainText(title)}</span></li>
          ))}
        </ol>
      </section>
    )}
    {blocking.length > 0 && (
      <section>
        <h2 class='app-subtitle'>Blocks most</h2>
        <ol class='app-list'>
          {blocking.slice(0, MAX_SHOWN).map(({ title, blocks }, at) => (
            <li key={at}>
              <span>{plainText(title)} <span class='app-note'>{countOf(blocks, 'item')} waiting</span></span>
            </li>
          ))}
        </ol>
      </section>
    )}
  </div>
)
