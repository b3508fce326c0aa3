/**
 * What the view knows and does: it greets the host, learns which plan to show, and loads it. Every state can be drawn,
 * whatever the host does or leaves out.
 */
import type { JsonObject } from '../../../lib/json/json-object.js'
import { connectHost, HostError } from './bridge.js'
import { readAbilities, readContext, type HostAbilities, type HostContext } from './host-context.js'
import { objectOf, textOf } from './json-values.js'
import { loadExploration, loadPages, resultText, ToolRefusal } from './load-plan.js'
import type { PlanRecord } from '../plan/plan-record.js'
import { joinPages, readPlanProgress, type PlanPage, type PlanProgress } from './plan-pages.js'

export interface ChatState {
  context: HostContext
  abilities: HostAbilities
  /** The exploration whose plan is shown; '' while the host has not said. */
  explorationId: string
  title: string
  /** The address of the exploration, as the record has it. */
  url: string
  progress: PlanProgress | undefined
  plan: PlanRecord | undefined
  /** Names the state of the plan, so that another one is drawn anew. */
  edition: string
  warning: string
  loading: { loaded: number, total: number | undefined } | undefined
  /** What keeps the whole plan from being shown, as a sentence; '' if nothing does. */
  problem: string
}

export type ChatActions = ReturnType<typeof startChatView>

const PROTOCOL = '2026-01-26'
const INFO = { name: 'exploration-mcp plan', version: '1.0.0' }
// How long a silence is before the view says that it waits; it goes on waiting.
const SILENCE_MS = 8000
const SLOW_MS = 15_000
const SILENT = 'The host of this view does not answer. The plan is shown as soon as it does.'
const UNNAMED = 'The host has not said yet which plan to show. It is shown as soon as the tool has been called.'
const SLOW = 'The host takes long to load the plan.'
const NO_TOOLS = 'This host does not let the view load the whole plan.'

const quote = (message: string): string => `“${message.replace(/\s+/g, ' ').trim().slice(0, 300)}”`

export const startChatView = (view: Window, onChange: (state: ChatState) => void) => {
  let rawContext: JsonObject = {}
  let state: ChatState = {
    context: readContext({}),
    abilities: { tools: false, links: false, messages: false },
    explorationId: '',
    title: '',
    url: '',
    progress: undefined,
    plan: undefined,
    edition: '',
    warning: '',
    loading: undefined,
    problem: ''
  }
  let isOpen = false
  let current = 0
  const set = (change: Partial<ChatState>): void => {
    state = { ...state, ...change }
    onChange(state)
  }
  const mergeContext = (change: JsonObject): void => {
    rawContext = { ...rawContext, ...change }
    set({ context: readContext(rawContext) })
  }
  const bridge = connectHost(view, {
    onRequest: (method) => method === 'ping' || method === 'ui/resource-teardown' ? {} : undefined,
    onNotification (method, params) {
      if (method === 'ui/notifications/host-context-changed') mergeContext(params)
      if (method === 'ui/notifications/tool-input') show(textOf(objectOf(params['arguments'])['exploration_id']))
      if (method === 'ui/notifications/tool-result') takeResult(params)
      if (method === 'ui/notifications/tool-cancelled' && state.plan === undefined) {
        const reason = textOf(params['reason'])
        set({ problem: `The call was cancelled${reason === '' ? '.' : `: ${quote(reason)}`}` })
      }
    }
  })

  const takeResult = (result: JsonObject): void => {
    if (result['isError'] === true) {
      current++
      return set({ loading: undefined, problem: resultText(result) || 'The plan could not be read.' })
    }
    const progress = readPlanProgress(result['structuredContent'])
    if (progress === undefined) return
    set({ progress })
    show(progress.exploration_id)
  }
  /** The host names the plan twice: by the arguments of the call, and by its result. */
  const show = (explorationId: string): void => {
    if (explorationId === '' || explorationId === state.explorationId) return
    set({ explorationId, problem: '', title: '', url: '', plan: undefined })
    if (isOpen) load()
  }

  const load = (): void => {
    const { explorationId } = state
    if (explorationId === '') return
    if (!state.abilities.tools) return set({ problem: NO_TOOLS })
    const loadNumber = ++current
    const isCurrent = (): boolean => loadNumber === current
    const slow = setTimeout(() => isCurrent() && set({ problem: SLOW }), SLOW_MS)
    set({ problem: '', loading: { loaded: 0, total: undefined } })
    loadExploration(bridge, explorationId).then((exploration) => isCurrent() && set(exploration), () => undefined)
    readAll(explorationId, isCurrent).then((pages) => {
      if (!isCurrent()) return
      const last = pages.at(-1)
      const missing = last === undefined || last.next_cursor !== ''
      set({
        plan: joinPages(pages),
        edition: `${last?.version} ${last?.updated_at} ${loadNumber}`,
        warning: last?.warning ?? '',
        loading: undefined,
        problem: missing ? 'The host answered the same page twice, so this is not the whole plan.' : ''
      })
    }, (error: unknown) => isCurrent() && set({ loading: undefined, problem: problemOf(error) }))
      .finally(() => clearTimeout(slow))
  }
  /** All pages of one edition of the plan. A plan that changes meanwhile is read once more. */
  const readAll = async (explorationId: string, isCurrent: () => boolean, again = false): Promise<PlanPage[]> => {
    const pages: PlanPage[] = []
    try {
      for await (const page of loadPages(bridge, explorationId)) {
        if (!isCurrent()) return pages
        pages.push(page)
        set({ loading: { loaded: pages.reduce((sum, { items }) => sum + items.length, 0), total: page.total_items } })
      }
      return pages
    } catch (error) {
      if (again || pages.length === 0 || !(error instanceof ToolRefusal)) throw error
      return readAll(explorationId, isCurrent, true)
    }
  }

  const initialize = async (): Promise<void> => {
    const silence = setTimeout(() => set({ problem: SILENT }), SILENCE_MS)
    try {
      const answer = await bridge.request('ui/initialize', {
        protocolVersion: PROTOCOL, appInfo: INFO, appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] }
      })
      set({ abilities: readAbilities(answer), problem: '' })
      mergeContext(objectOf(answer['hostContext']))
    } catch (error) {
      return set({ problem: `The host refused to show this view: ${quote(messageOf(error))}` })
    } finally {
      clearTimeout(silence)
    }
    isOpen = true
    bridge.notify('ui/notifications/initialized', {})
    if (state.explorationId !== '') return load()
    setTimeout(() => {
      if (state.explorationId === '' && state.problem === '') set({ problem: UNNAMED })
    }, SILENCE_MS)
  }
  initialize().catch((error: unknown) => set({ problem: messageOf(error) }))
  onChange(state)

  return {
    load,
    setDisplayMode (mode: 'inline' | 'fullscreen'): void {
      bridge.request('ui/request-display-mode', { mode }).then(
        (answer) => mergeContext({ displayMode: textOf(answer['mode']) || state.context.displayMode }), () => undefined)
    },
    /** Rejects with a `HostError` when the host does not want to. */
    openLink: async (url: string): Promise<void> => requireAccepted(await bridge.request('ui/open-link', { url })),
    /** Puts a message of the person into the chat. Rejects likewise. */
    sendMessage: async (text: string): Promise<void> =>
      requireAccepted(await bridge.request('ui/message', { role: 'user', content: [{ type: 'text', text }] })),
    notify: bridge.notify
  }
}

/** Hosts also refuse by a result that says so. */
const requireAccepted = ({ isError }: JsonObject): void => {
  if (isError === true) throw new HostError('It refused.')
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const problemOf = (error: unknown): string => error instanceof ToolRefusal
  ? error.message
  : `The host did not load the plan: ${quote(messageOf(error))}`
