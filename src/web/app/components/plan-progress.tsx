/** How far a plan is: a bar of its states with the counts in words. */
import './plan-progress.css'

export interface PlanCounts { todo: number, in_progress: number, done: number, blocked: number, total: number }

const PARTS = [
  ['done', 'done', 'tone-good'],
  ['in_progress', 'in progress', 'tone-info'],
  ['blocked', 'blocked', 'tone-bad'],
  ['todo', 'to do', '']
] as const

/** With `legend` of all states; otherwise of what is done, which its words say, with what is under way below it. */
export const PlanProgress = ({ counts, legend = false }: { counts: PlanCounts, legend?: boolean }) => {
  const parts = PARTS.filter(([part]) => counts[part] > 0)
  const words = parts.map(([part, word]) => `${counts[part]} ${word}`)
  const underWay = parts.flatMap(([part, word]) =>
    part === 'in_progress' || part === 'blocked' ? [`${counts[part]} ${word}`] : [])
  let x = 0
  return (
    <div class={legend ? 'plan-progress plan-progress-legend' : 'plan-progress'}>
      {!legend && <span class='plan-progress-count'>{counts.done} of {counts.total} done</span>}
      <svg
        class='plan-progress-bar' role='img' aria-label={`Plan: ${words.join(', ') || 'no items'}`} viewBox='0 0 100 4'
        preserveAspectRatio='none'
      >
        <rect width='100' height='4' />
        {counts.total > 0 && PARTS.slice(0, legend ? 3 : 1).map(([part, , tone]) => {
          const width = counts[part] / counts.total * 100
          const bar = <rect key={part} x={x} width={width} height='4' class={tone} />
          x += width
          return bar
        })}
      </svg>
      {!legend && underWay.length > 0 && <span class='plan-progress-note'>{underWay.join(', ')}</span>}
      {legend && (
        <ul class='plan-progress-words'>
          {parts.map(([part, word, tone]) => (
            <li key={part}><span class={`plan-progress-dot ${tone}`} />{counts[part]} {word}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
