/** What a long page contains, with links that move to it; beside the text where there is room. */
import { useEffect, useState } from 'preact/hooks'

export interface ContentsProps {
  entries: ReadonlyArray<{ id: string, label: string, count?: number, level?: number }>
  label?: string
}

export const Contents = ({ entries, label = 'On this page' }: ContentsProps) => {
  const current = useVisibleSection(entries.map(({ id }) => id))
  return (
    <nav class='contents' aria-label={label}>
      <p class='contents-label'>{label}</p>
      <ul>
        {entries.map((entry) => (
          <li
            key={entry.id} class={entry.level === undefined ? undefined : `contents-level-${Math.min(3, entry.level)}`}
          >
            <a href={`#${entry.id}`} aria-current={entry.id === current ? 'location' : undefined}>
              <span>{entry.label}</span>
              {entry.count !== undefined && <span class='contents-count'>{entry.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const useVisibleSection = (ids: readonly string[]): string | undefined => {
  const [current, setCurrent] = useState(ids[0])
  const key = ids.join(' ')
  useEffect(() => {
    const elements = ids.flatMap((id) => document.getElementById(id) ?? [])
    const visible = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target)
        else visible.delete(target)
      }
      const first = elements.find((element) => visible.has(element))
      if (first) setCurrent(first.id)
    }, { rootMargin: '0px 0px -60% 0px' })
    for (const element of elements) observer.observe(element)
    return () => observer.disconnect()
  }, [key])
  return current
}
