/** The controls of the picture: picture or list, what to bring forward, groups open or closed, zoom, files. */
import type { ComponentChildren } from 'preact'

export type PlanMode = 'picture' | 'list'

export interface PlanToolbarProps {
  mode: PlanMode
  onMode: (mode: PlanMode) => void
  toggles: ReadonlyArray<{ label: string, count: number, on: boolean, onToggle: () => void }>
  allOpen: boolean
  onAllOpen: (open: boolean) => void
  zoom: number
  onZoom: (zoom: number) => void
  /** Absent where nothing can be downloaded. */
  onExport?: ((format: 'svg' | 'png') => void) | undefined
}

const ZOOMS = [0.25, 0.4, 0.55, 0.7, 0.85, 1, 1.25, 1.5, 2]

const nearest = (zoom: number, direction: 1 | -1): number => direction > 0
  ? ZOOMS.find((step) => step > zoom + 0.01) ?? zoom
  : ZOOMS.findLast((step) => step < zoom - 0.01) ?? zoom

interface ToolProps { children: ComponentChildren, pressed?: boolean, label?: string, onClick: () => void }

const Tool = ({ children, pressed, label, onClick }: ToolProps) => (
  <button type='button' class='plan-tool' aria-pressed={pressed} aria-label={label} onClick={onClick}>
    {children}
  </button>
)

/** Draws the controls; without `onExport` there are no files. */
export const PlanToolbar = (
  { mode, onMode, toggles, allOpen, onAllOpen, zoom, onZoom, onExport }: PlanToolbarProps
) => (
  <div class='plan-toolbar'>
    <div class='plan-segments' role='group' aria-label='Show as'>
      <button type='button' aria-pressed={mode === 'picture'} onClick={() => onMode('picture')}>Picture</button>
      <button type='button' aria-pressed={mode === 'list'} onClick={() => onMode('list')}>List</button>
    </div>
    {mode === 'picture' && (
      <>
        {toggles.filter(({ count }) => count > 0).map(({ label, count, on, onToggle }) => (
          <Tool key={label} pressed={on} onClick={onToggle}>{label} <span class='plan-tool-count'>{count}</span></Tool>
        ))}
        <Tool onClick={() => onAllOpen(!allOpen)}>{allOpen ? 'Close all' : 'Open all'}</Tool>
        <div class='plan-segments plan-zoom' role='group' aria-label='Zoom'>
          <button
            type='button'
            aria-label='Zoom out'
            disabled={nearest(zoom, -1) === zoom}
            onClick={() => onZoom(nearest(zoom, -1))}
          >
            −
          </button>
          <button
            type='button'
            aria-label={`Zoom ${Math.round(zoom * 100)} %, back to 100 %`}
            onClick={() => onZoom(1)}
          >
            {Math.round(zoom * 100)}%
          </button>
          <button
            type='button'
            aria-label='Zoom in'
            disabled={nearest(zoom, 1) === zoom}
            onClick={() => onZoom(nearest(zoom, 1))}
          >
            +
          </button>
        </div>
        {onExport && (
          <div class='plan-segments' role='group' aria-label='Download'>
            <button type='button' aria-label='Download SVG' onClick={() => onExport('svg')}>SVG</button>
            <button type='button' aria-label='Download PNG' onClick={() => onExport('png')}>PNG</button>
          </div>
        )}
      </>
    )}
  </div>
)
