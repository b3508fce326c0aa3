/** The controls of a plan: picture or list, what is searched for or brought forward, open groups, zoom, files. */
import type { ComponentChildren } from 'preact'
import { Menu } from '../components/menu.js'
import { SearchField } from '../components/search-field.js'
import { countOf } from '../lib/format.js'
import type { PlanState } from './plan-state.js'

export interface PlanToolbarProps {
  state: PlanState
  zoom: number
  onZoom: (zoom: number) => void
  onFit: () => void
  /** Absent where nothing can be downloaded. */
  onExport?: ((format: 'svg' | 'png') => void) | undefined
}

const ZOOMS = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1, 1.25, 1.5, 2]

const nearest = (zoom: number, direction: 1 | -1): number => direction > 0
  ? ZOOMS.find((step) => step > zoom + 0.01) ?? zoom
  : ZOOMS.findLast((step) => step < zoom - 0.01) ?? zoom

interface ToolProps { children: ComponentChildren, pressed?: boolean, onClick: () => void }

const Tool = ({ children, pressed, onClick }: ToolProps) => (
  <button type='button' class='plan-tool' aria-pressed={pressed} onClick={onClick}>{children}</button>
)

export const PlanToolbar = ({ state, zoom, onZoom, onFit, onExport }: PlanToolbarProps) => {
  const { mode, setMode, filters, filter, setFilter, allOpen, setAllOpen } = state
  const step = (direction: 1 | -1, label: string, sign: string) => {
    const next = nearest(zoom, direction)
    return (
      <button type='button' aria-label={label} disabled={next === zoom} onClick={() => onZoom(next)}>{sign}</button>
    )
  }
  return (
    <div class='plan-toolbar'>
      <div class='plan-tools'>
        <div class='plan-segments' role='group' aria-label='Show as'>
          <button type='button' aria-pressed={mode === 'picture'} onClick={() => setMode('picture')}>Picture</button>
          <button type='button' aria-pressed={mode === 'list'} onClick={() => setMode('list')}>List</button>
        </div>
        <Find state={state} />
      </div>
      <div class='plan-tools plan-tools-row'>
        {filters.map((one) => (
          <Tool key={one.value} pressed={one === filter} onClick={() => setFilter(one === filter ? undefined : one)}>
            {one.label} <span class='plan-tool-count'>{one.items.length}</span>
          </Tool>
        ))}
        <Tool onClick={() => setAllOpen(!allOpen)}>{allOpen ? 'Close all' : 'Open all'}</Tool>
        {mode === 'picture' && (
          <>
            <div class='plan-segments plan-zoom' role='group' aria-label='Zoom'>
              <button type='button' onClick={onFit}>Fit</button>
              {step(-1, 'Zoom out', '−')}
              <button
                type='button' aria-label={`Zoom ${Math.round(zoom * 100)} %, back to 100 %`} onClick={() => onZoom(1)}
              >
                {Math.round(zoom * 100)}%
              </button>
              {step(1, 'Zoom in', '+')}
            </div>
            {onExport && (
              <Menu
                label='Download the picture' class='plan-tool'
                items={[
                  { label: 'SVG, for drawing programs', icon: 'download', onSelect: () => onExport('svg') },
                  { label: 'PNG, an image', icon: 'download', onSelect: () => onExport('png') }
                ]}
              >
                Download
              </Menu>
            )}
          </>
        )}
      </div>
    </div>
  )
}

/** The search in the plan: Enter goes from one item that has the text to the next. */
const Find = ({ state: { find, setFind, chosen = [], active, activate } }: { state: PlanState }) => {
  const at = active?.type === 'item' ? chosen.findIndex(({ index }) => index === active.index) : -1
  const next = (): void => {
    const item = chosen[(at + 1) % chosen.length]
    if (item !== undefined) activate({ type: 'item', index: item.index })
  }
  return (
    <div class='plan-find'>
      <SearchField label='Find in plan' value={find} onInput={setFind} onEnter={next} />
      {find.trim() !== '' && (
        <span class='plan-find-count' role='status'>
          {at < 0 ? countOf(chosen.length, 'item') : `${at + 1} of ${chosen.length}`}
        </span>
      )}
    </div>
  )
}
