/**
 * A plan with everything around its picture: controls, list, legend, details. Needs nothing but the record: no router,
 * no requests, no storage, so that it can stand in a page of the application and in a view of a chat alike.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { layoutColumns } from './layout/columns-layout.js'
import { createEmphasis } from './emphasis.js'
import { downloadFile, fileName, pictureAsSvg, svgAsPng } from './export-picture.js'
import { longestChain } from './layout/longest-chain.js'
import { nextTarget } from './next-target.js'
import { initiallyOpenGroups } from './open-groups.js'
import type { Picture, Target } from './layout/picture.js'
import { targetKey } from './layout/picture.js'
import { PlanDetails } from './plan-details.js'
import { PlanLegend } from './plan-legend.js'
import { PlanList } from './plan-list.js'
import { createPlanModel, type PlanItem } from './plan-model.js'
import type { PlanRecord } from './plan-record.js'
import { PlanSvg } from './plan-svg.js'
import { PlanToolbar, type PlanMode } from './plan-toolbar.js'
import { planClauses } from './plan-words.js'
import { layoutRails } from './layout/rails-layout.js'
import { scrollToFirstOpen, scrollToGroup, useFrame } from './use-frame.js'
import { useVisibleBox } from './use-visible-box.js'
import './plan.css'

export interface PlanViewProps {
  plan: PlanRecord
  /** Title of the exploration. */
  title: string
  /** Element of the title; 'none' where the page around it says it already. */
  heading?: 'h1' | 'h2' | 'none'
  /** Whether the picture can be downloaded as a file. */
  downloads?: boolean
  /** Whether the height is limited: picture and list scroll inside, their surroundings stay. */
  fillsHeight?: boolean
  /** More controls, beside the title. */
  tools?: ComponentChildren
  /** What can be done with an item, shown with its details. */
  itemActions?: (item: PlanItem) => ComponentChildren
}

/** Below this width, in px, everything stands in one column. */
const NARROW = 720
const MAX_DRAWN_WHOLE = 500
/** What scrolls has to be reached by the keyboard. */
const LIST_REGION = {
  class: 'plan-scroller plan-list-scroller', role: 'region', tabindex: 0, 'aria-label': 'List'
} as const

const weight = ({ cards, edges, lanes }: Picture): number => cards.length + edges.length + lanes.length

/** Draws the plan. `downloads` offers it as SVG and PNG. */
export const PlanView = (
  { plan, title, heading = 'h2', downloads = false, fillsHeight = false, tools, itemActions }: PlanViewProps
) => {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const model = useMemo(() => createPlanModel(plan), [plan])
  const chain = useMemo(() => longestChain(model), [model])
  const [open, setOpen] = useState<ReadonlySet<number>>(() => initiallyOpenGroups(model))
  const [mode, setMode] = useState<PlanMode>('picture')
  const [active, setActive] = useState<Target>()
  const [showReady, setShowReady] = useState(false)
  const [showChain, setShowChain] = useState(false)
  const [showConflicts, setShowConflicts] = useState(false)
  const [zoom, setZoom] = useState(1)
  const [whole, setWhole] = useState<((svg: SVGSVGElement) => void)>()
  const [width, measures] = useFrame(root)

  const narrow = width !== undefined && width < NARROW
  const picture = useMemo(
    () => width === undefined ? undefined : narrow ? layoutRails(model, open, width) : layoutColumns(model, open),
    [model, open, narrow, narrow ? width : 0, width === undefined]
  )
  const visible = useVisibleBox(
    svg, zoom, whole === undefined && picture !== undefined && weight(picture) > MAX_DRAWN_WHOLE
  )
  const emphasis = useMemo(
    () => createEmphasis(model, { active, onlyReady: showReady, chain: showChain ? chain : [] }),
    [model, active, showReady, showChain, chain]
  )

  useLayoutEffect(() => scrollToFirstOpen(scroller.current, picture), [picture === undefined])
  // What a toggle brings forward may lie far away.
  useEffect(() => {
    const first = showChain ? chain[0] : showReady ? model.ready[0] : undefined
    if (first !== undefined) scrollToGroup(scroller.current, picture, first.group.index)
  }, [showChain, showReady])
  useEffect(() => {
    if (active === undefined) return
    document.getElementById(`${id}-${targetKey(active)}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active && targetKey(active)])
  // A file holds the whole picture: it is drawn whole first, then written.
  useLayoutEffect(() => {
    if (whole === undefined || svg.current === null) return
    whole(svg.current)
    setWhole(undefined)
  }, [whole])

  const setGroup = (index: number, unfolded: boolean): void => {
    const next = new Set(open)
    if (unfolded) next.add(index)
    else next.delete(index)
    setOpen(next)
  }
  /** Makes something active; opens its group if that is closed. */
  const activate = (target: Target | undefined): void => {
    const item = target?.type === 'item' ? model.items[target.index] : undefined
    if (item !== undefined && !open.has(item.group.index)) setGroup(item.group.index, true)
    setActive(target)
  }
  const press = (target: Target | undefined): void => {
    if (target?.type === 'group') setGroup(target.index, !open.has(target.index))
    activate(target)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (picture === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return setActive(undefined)
    const group = active?.type === 'group' ? active.index : undefined
    if (group !== undefined && /^(?:Enter| |ArrowLeft|ArrowRight)$/.test(event.key)) {
      setGroup(group, event.key === 'ArrowRight' || (event.key !== 'ArrowLeft' && !open.has(group)))
    } else {
      const target = nextTarget(picture, model, active, event.key)
      if (target === undefined) return
      activate(target)
    }
    event.preventDefault()
  }
  const onExport = (format: 'svg' | 'png'): void => setWhole(() => (element: SVGSVGElement) => {
    const source = pictureAsSvg(element, title, root.current ?? element)
    if (format === 'svg') downloadFile(source, 'image/svg+xml', `${fileName(title)}.svg`)
    else {
      const { width: svgWidth, height: svgHeight } = element.viewBox.baseVal
      svgAsPng(source, svgWidth, svgHeight)
        .then(
          (png) => downloadFile(png, 'image/png', `${fileName(title)}.png`), (error: unknown) => console.error(error)
        )
    }
  })

  const conflicts = model.conflicts.filter(({ status, items }) => status === 'open' && items.length > 1)
  const visibleConflicts = conflicts.filter(({ items }) => showConflicts ||
    items.some((item) => active?.type === 'item' && item.index === active.index))
  const Heading = heading === 'none' ? undefined : heading
  return (
    <div class='plan' ref={root} data-plan={picture?.kind}>
      <div class='plan-header'>
        <div class='plan-heading'>
          {Heading && <Heading class='plan-title'>{title}</Heading>}
          <p class='plan-sentence'>
            {planClauses(model).map((clause, at, { length }) => (
              <span key={at}>{clause}{at < length - 1 && ' · '}</span>
            ))}
          </p>
        </div>
        {tools}
        <PlanToolbar
          mode={mode} onMode={setMode} allOpen={open.size >= model.groups.length}
          onAllOpen={(all) => setOpen(new Set(all ? model.groups.map(({ index }) => index) : []))}
          zoom={zoom} onZoom={setZoom} onExport={downloads ? onExport : undefined}
          toggles={[
            { label: 'Ready', count: model.ready.length, on: showReady, onToggle: () => setShowReady(!showReady) },
            { label: 'Longest chain', count: chain.length, on: showChain, onToggle: () => setShowChain(!showChain) },
            {
              label: 'Conflicts',
              count: conflicts.length,
              on: showConflicts,
              onToggle: () => setShowConflicts(!showConflicts)
            }
          ]}
        />
      </div>
      {mode === 'list'
        ? (
          <div {...fillsHeight && LIST_REGION}>
            <PlanList model={model} level={heading === 'h1' || heading === 'none' ? 2 : 3} />
          </div>
          )
        : (
          <>
            <div class='plan-scroller' ref={scroller}>
              {model.groups.length === 0 && <p class='plan-empty'>This plan has no groups and no items yet.</p>}
              {picture && measures && model.groups.length > 0 && (
                <PlanSvg
                  id={id}
                  label={`Plan of ${title}`}
                  picture={picture}
                  measures={measures}
                  emphasis={emphasis}
                  active={active}
                  conflicts={visibleConflicts}
                  zoom={narrow ? 1 : zoom}
                  visible={visible}
                  svg={svg}
                  onActivate={press}
                  onOpen={({ index }) => setGroup(index, true)}
                  onKeyDown={onKeyDown}
                />
              )}
            </div>
            <PlanDetails
              model={model}
              active={active}
              itemActions={itemActions}
              onActivate={activate}
              onClose={() => setActive(undefined)}
            />
            <PlanLegend model={model} />
          </>
          )}
    </div>
  )
}
