/** How much of a bound is used, as a bar under the figure. */
import { formatNumber } from '../lib/format.js'
import './meter.css'

const NEAR = 0.8

export const Meter = ({ used, cap, label }: { used: number, cap: number, label: string }) => {
  const share = cap > 0 ? Math.min(1, used / cap) : 0
  return (
    <div
      class={share >= NEAR ? 'meter meter-near' : 'meter'} role='meter' aria-label={label} aria-valuemin={0}
      aria-valuemax={cap} aria-valuenow={Math.min(used, cap)}
      aria-valuetext={`${formatNumber(used)} of ${formatNumber(cap)}`}
      title={`${label}: ${formatNumber(used)} of ${formatNumber(cap)}`}
    >
      <span class='meter-value'>{formatNumber(used)}</span>
      <span class='meter-track'>
        <span class='meter-bar' style={{ width: used > 0 ? `max(3px, ${share * 100}%)` : '0' }} />
      </span>
    </div>
  )
}
