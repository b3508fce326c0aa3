/** The picture of a plan in the frame that it scrolls in, moved through by the keyboard. */
import { useMemo } from 'preact/hooks'
import { createEmphasis } from './emphasis.js'
import { nextTarget } from './next-target.js'
import type { PlanState } from './plan-state.js'
import { PlanSvg } from './plan-svg.js'
import type { DrawnPicture } from './use-picture.js'

export interface PlanPictureProps {
  id: string
  /** Its name for screen readers. */
  label: string
  state: PlanState
  drawn: DrawnPicture
}

export const PlanPicture = ({ id, label, state, drawn }: PlanPictureProps) => {
  const { model, active, activate, open, setOpen, filter, chosen } = state
  const { picture, measures, zoom, visible, svg, scroller, hold } = drawn
  const emphasis = useMemo(
    () => createEmphasis(model, { active, chosen, chain: filter?.value === 'chain' ? filter.items : [] }),
    [model, active, chosen, filter]
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    if (picture === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return activate(undefined)
    const group = active?.type === 'group' ? active.index : undefined
    if (group !== undefined && /^(?:Enter| |ArrowLeft|ArrowRight)$/.test(event.key)) {
      setOpen(group, event.key === 'ArrowRight' || (event.key !== 'ArrowLeft' && !open.has(group)))
    } else {
      const target = nextTarget(picture, model, active, event.key)
      if (target === undefined) return
      activate(target)
    }
    event.preventDefault()
  }
  const conflicts = model.conflicts.filter(({ status, items }) => status === 'open' && items.length > 1 &&
    (filter?.value === 'conflicts' || items.some((item) => active?.type === 'item' && item.index === active.index)))
  return (
    <div class='plan-scroller' ref={scroller}>
      {model.groups.length === 0 && <p class='plan-empty'>This plan has no groups and no items yet.</p>}
      {picture && measures && model.groups.length > 0 && (
        <PlanSvg
          id={id}
          label={label}
          picture={picture}
          measures={measures}
          emphasis={emphasis}
          active={active}
          conflicts={conflicts}
          zoom={zoom}
          visible={visible}
          svg={svg}
          onActivate={(target) => {
            if (target?.type === 'group') setOpen(target.index, !open.has(target.index))
            activate(target)
            hold(target)
          }}
          onOpen={({ index }) => {
            setOpen(index, true)
            hold({ type: 'group', index })
          }}
          onKeyDown={onKeyDown}
        />
      )}
    </div>
  )
}
