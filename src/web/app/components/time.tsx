/** A moment, relative to now; the exact one is its tooltip. */
import { useEffect, useState } from 'preact/hooks'
import { exactTime, relativeTime, shortDate } from '../lib/format.js'
import { useTimeZone } from '../lib/session.js'

const TICK_MS = 30_000

const ticks = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const useTicks = (): void => {
  const [, draw] = useState(0)
  useEffect(() => {
    const tick = (): void => draw((count) => count + 1)
    ticks.add(tick)
    timer ??= setInterval(() => { for (const each of ticks) each() }, TICK_MS)
    return () => {
      ticks.delete(tick)
      if (ticks.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
}

export interface TimeProps {
  /** RFC 3339; null shows `fallback`. */
  value: string | null | undefined
  fallback?: string
  /** `date`: the day instead of the distance. */
  format?: 'relative' | 'date' | 'exact'
}

export const Time = ({ value, fallback = 'never', format = 'relative' }: TimeProps) => {
  useTicks()
  const timeZone = useTimeZone()
  if (value === null || value === undefined) return <span>{fallback}</span>
  const date = new Date(value)
  const exact = exactTime(date, timeZone)
  const text = format === 'exact'
    ? exact
    : format === 'date'
      ? shortDate(date, timeZone)
      : relativeTime(date, new Date(), timeZone)
  return <time dateTime={value} title={exact}>{text}</time>
}
