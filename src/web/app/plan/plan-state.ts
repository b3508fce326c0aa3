/**
 * What of a plan is shown, apart from how it is drawn: the active item, picture or list, what is brought forward, what
 * is searched for, and which groups are open. The first four can stand in an address.
 */
import { useMemo, useState } from 'preact/hooks'
import type { Target } from './layout/picture.js'
import { longestChain } from './layout/longest-chain.js'
import { createPlanModel, hasOpenConflict, type PlanGroup, type PlanItem, type PlanModel } from './plan-model.js'
import type { PlanRecord } from './plan-record.js'

/** `item` is an id of the record, `view` is `list` or '', `show` one of `PlanFilter.value` or '', `find` a text. */
export const PLAN_FIELDS = { item: [], view: [], show: [], find: [] } as const
type PlanField = keyof typeof PLAN_FIELDS

/** Where these are kept; `useQueryState(PLAN_FIELDS)` is one. */
export interface PlanPlace {
  values: Readonly<Record<PlanField, string>>
  set: (changes: Partial<Record<PlanField, string>>) => void
}

const NOWHERE: PlanPlace['values'] = { item: '', view: '', show: '', find: '' }

/** A place for a plan that has no address. */
export const useOwnPlace = (): PlanPlace => {
  const [values, setValues] = useState(NOWHERE)
  return { values, set: (changes) => setValues((before) => ({ ...before, ...changes })) }
}

/** Some items of the plan that can be brought forward: in the picture the others are pale, the list has only these. */
export interface PlanFilter { value: 'ready' | 'chain' | 'conflicts', label: string, items: readonly PlanItem[] }

export type PlanState = ReturnType<typeof usePlanState>
type Mode = 'picture' | 'list'

const filtersOf = (model: PlanModel): PlanFilter[] => [
  { value: 'ready', label: 'Ready', items: model.ready },
  { value: 'chain', label: 'Longest chain', items: longestChain(model) },
  {
    value: 'conflicts',
    label: 'In conflict',
    items: model.items.filter((item) => hasOpenConflict(item) && item.conflicts.some(({ items }) => items.length > 1))
  }
]

/** Keeps the state of a plan. `beforeLayout` is called before whatever changes where things are drawn. */
export const usePlanState = (plan: PlanRecord, { values, set }: PlanPlace, beforeLayout: () => void) => {
  const model = useMemo(() => createPlanModel(plan), [plan])
  const filters = useMemo(() => filtersOf(model), [model])
  const linked = values.item === '' ? undefined : model.items.find(({ id }) => id === values.item)
  const [open, setOpenGroups] = useState<ReadonlySet<number>>(() =>
    new Set([...initiallyOpenGroups(model), ...linked ? [linked.group.index] : []]))
  const [other, setOther] = useState<Target>()
  const active: Target | undefined = linked ? { type: 'item', index: linked.index } : other

  const filter = filters.find(({ value }) => value === values.show)
  const text = values.find.trim().toLowerCase()
  const chosen = useMemo(() => text === ''
    ? filter?.items
    : (filter?.items ?? model.items).filter(({ id, title, description, group }) =>
        [id, title, description, group.title].some((part) => part.toLowerCase().includes(text))),
  [model, filter, text])

  const change = (next: ReadonlySet<number>): void => {
    beforeLayout()
    setOpenGroups(next)
  }
  const setOpen = (group: number, unfolded: boolean): void => {
    const next = new Set(open)
    if (unfolded) next.add(group)
    else next.delete(group)
    change(next)
  }
  const mode: Mode = values.view === 'list' ? 'list' : 'picture'
  return {
    model,
    mode,
    setMode (next: Mode): void {
      beforeLayout()
      set({ view: next === 'list' ? next : '' })
    },
    filters: filters.filter(({ items }) => items.length > 0),
    filter,
    setFilter: (next: PlanFilter | undefined): void => set({ show: next?.value ?? '' }),
    find: values.find,
    setFind: (find: string): void => set({ find }),
    /** Those of the filter that have the text; undefined without filter and text. */
    chosen,
    active,
    /** Makes something active; opens the group of an item. */
    activate (target: Target | undefined): void {
      const item = target?.type === 'item' ? model.items[target.index] : undefined
      if (item !== undefined && !open.has(item.group.index)) setOpen(item.group.index, true)
      setOther(item === undefined ? target : undefined)
      set({ item: item?.id ?? '' })
    },
    open,
    setOpen,
    allOpen: open.size >= model.groups.length,
    setAllOpen: (all: boolean): void => change(new Set(all ? model.groups.map(({ index }) => index) : []))
  }
}

/** A plan with more items begins with most groups closed. */
const MAX_ITEMS_ALL_OPEN = 60
const MAX_ACTIVE = 3
// One group with more cards than this is no overview, so it begins closed unless it is the only one.
const MAX_ITEMS_OPEN_GROUP = 200

/** All of a small plan; of a larger one three in which something is in progress or blocked, and one not done. */
export const initiallyOpenGroups = ({ groups, items }: PlanModel): Set<number> => {
  if (items.length <= MAX_ITEMS_ALL_OPEN) return new Set(groups.map(({ index }) => index))
  const active = groups.filter(({ counts }) => counts.in_progress + counts.blocked > 0).slice(0, MAX_ACTIVE)
  const unfinished = groups.find(({ items: own, counts }) => own.length > 0 && counts.done < own.length)
  const candidates = [...active, ...unfinished === undefined ? [] : [unfinished]]
  const readable = (group: PlanGroup): boolean => group.items.length <= MAX_ITEMS_OPEN_GROUP
  const open = groups.length === 1 ? candidates : candidates.filter(readable)
  return new Set(open.map(({ index }) => index))
}
