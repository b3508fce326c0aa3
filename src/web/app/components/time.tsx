/** A moment, relative to now; the exact one is its tooltip. */
import { useEffect, useState } from 'preact/hooks'
import { exactTime, relativeTime, shortDate } from '../lib/format.js'
import { useTimeZone } from '../lib/session.js'

const TICK_MS = 30_000

interface TimeProps {
  /** RFC 3339; null: never. */
  value: string | null | undefined
  /** `date`: the day instead of the distance. */
  format?: 'relative' | 'date' | 'exact'
}

export const Time = ({ value, format = 'relative' }: TimeProps) => {
  const [, draw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const timeZone = useTimeZone()
  if (value === null || value === undefined) return <span>never</span>
  const date = new Date(value)
  const exact = exactTime(date, timeZone)
  const text = format === 'exact'
    ? exact
    : format === 'date'
      ? shortDate(date, timeZone)
      : relativeTime(date, new Date(), timeZone)
  return <time dateTime={value} title={exact}>{text}</time>
}
