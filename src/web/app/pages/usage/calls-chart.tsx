/**
 * Calls over time as bars: served, failed, refused. One stop of the Tab key; left and right move through the bars, and
 * the line above says what the chosen one means. Drawn with attributes of SVG: the page allows no inline styles.
 */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../api/call.js'
import { classNames } from '../../components/class-names.js'
import { Skeleton } from '../../components/states.js'
import { formatMs, formatNumber } from '../../lib/format.js'
import { useTimeZone } from '../../lib/session.js'
import { labelledBuckets, labelPlace, niceTicks } from './chart-scale.js'

type Bucket = Answer<'GET /usage'>['series'][number]

const HEIGHT = 220
const TOP = 8
const BOTTOM = 24
const LEFT = 40
const LABEL_WIDTH = 76
const MAX_BAR = 26

export const CallsChart = ({ series, by }: { series: readonly Bucket[] | undefined, by: 'hour' | 'day' }) => {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 800)
  const [chosen, setChosen] = useState<number>()
  const timeZone = useTimeZone()
  if (series === undefined) return <div class='chart' ref={frame}><Skeleton height={`${HEIGHT + 28}px`} /></div>

  const label = new Intl.DateTimeFormat('en-US', by === 'day' || series.length > 25
    ? { timeZone, month: 'short', day: 'numeric' }
    : { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const exact = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...by === 'hour' && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  })
  const ticks = niceTicks(Math.max(0, ...series.map(({ calls }) => calls)))
  const top = ticks.at(-1) ?? 1
  const inner = HEIGHT - TOP - BOTTOM
  const step = (width - LEFT) / Math.max(1, series.length)
  const bar = Math.max(1, Math.min(MAX_BAR, step * 0.72))
  const heightOf = (value: number): number => value / top * inner
  const current = chosen === undefined ? undefined : series[chosen]
  const total = series.reduce((sum, { calls }) => sum + calls, 0)
  const move = (event: KeyboardEvent): void => {
    const last = series.length - 1
    const from = chosen ?? (event.key === 'ArrowLeft' ? last + 1 : -1)
    const next = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(last, from + 1),
      Home: 0,
      End: last
    }[event.key]
    if (event.key === 'Escape') setChosen(undefined)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }
  const hover = (event: MouseEvent): void => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined) return
    const at = Math.floor((event.clientX - box.left - LEFT) / step)
    setChosen(at >= 0 && at < series.length ? at : undefined)
  }
  const labels = series.map(({ start }) => label.format(new Date(start)))
  const labelIndexes = labelledBuckets(labels, width - LEFT, LABEL_WIDTH)
  return (
    <div class='chart' ref={frame}>
      <p class='chart-readout' role='status'>
        {current === undefined
          ? <ChartLegend />
          : <Readout bucket={current} time={exact.format(new Date(current.start))} />}
      </p>
      {/* An application takes keys; the linter counts it among what is only read. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <svg
        class='chart-svg' width={width} height={HEIGHT} role='application' tabindex={0}
        aria-label={`Calls over time, ${formatNumber(total)} in all. Left and right arrow keys move through the bars.`}
        onKeyDown={move} onMouseMove={hover} onMouseLeave={() => setChosen(undefined)}
        onBlur={() => setChosen(undefined)}
      >
        {ticks.map((tick) => (
          <g key={tick} aria-hidden='true'>
            <line
              x1={LEFT} x2={width} y1={TOP + inner - heightOf(tick) + 0.5} y2={TOP + inner - heightOf(tick) + 0.5}
              class={tick === 0 ? 'chart-base' : 'chart-grid'}
            />
            <text
              x={LEFT - 8} y={TOP + inner - heightOf(tick)} text-anchor='end' dominant-baseline='central'
              class='chart-label'
            >
              {compact(tick)}
            </text>
          </g>
        ))}
        {series.map(({ start, calls, refused, errors }, at) => {
          const x = LEFT + at * step + (step - bar) / 2
          const answered = Math.max(0, calls - refused - errors)
          const parts = [[answered, 'accent'], [errors, 'bad'], [refused, 'warn']] as const
          let y = TOP + inner
          return (
            <g key={start} aria-hidden='true' class={classNames(chosen !== undefined && chosen !== at && 'chart-dim')}>
              {parts.map(([count, tone]) => {
                if (count === 0) return null
                // What is there is seen, however little it is.
                const height = Math.max(1.5, heightOf(count))
                y -= height
                return (
                  <rect
                    key={tone} x={x} y={y} width={bar} height={height} rx={Math.min(1.5, bar / 3)}
                    class={`tone-${tone}`}
                  />
                )
              })}
              {labelIndexes.has(at) && (
                <text {...labelPlace(x + bar / 2, width, LABEL_WIDTH, at === 0)} y={HEIGHT - 6} class='chart-label'>
                  {labels[at]}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </div>
  )
}

/** Returns the inner width in px; `initial` before the element is in the document. */
const useWidth = (element: RefObject<HTMLElement | null>, initial: number): number => {
  const [width, setWidth] = useState(initial)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    setWidth(target.clientWidth)
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return width
}

const compact = (value: number): string => new Intl.NumberFormat('en-US', { notation: 'compact' }).format(value)

const Readout = ({ bucket: { calls, refused, errors, p95_ms: p95 }, time }: { bucket: Bucket, time: string }) => (
  <>
    <b>{time}</b>
    <span>{formatNumber(calls)} calls</span>
    {refused > 0 && <span class='chart-text tone-warn'>{formatNumber(refused)} refused</span>}
    {errors > 0 && <span class='chart-text tone-bad'>{formatNumber(errors)} failed</span>}
    <span>95 % within {formatMs(p95)}</span>
  </>
)

const ChartLegend = () => (
  <>
    <span class='chart-key tone-accent'>Served</span>
    <span class='chart-key tone-bad'>Failed</span>
    <span class='chart-key tone-warn'>Refused</span>
  </>
)
