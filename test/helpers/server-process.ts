/** A server as a process, of any build, and what its tools answer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { modernRequest } from './build.js'

export interface ServerProcess {
  endpoint: string
  /** At a first start only. */
  key?: string
  /** Answers with what code it ended, and what it printed on standard error. */
  stop (): Promise<{ code: number | null, err: string }>
}

/**
 * Starts it on a free port and resolves when it listens.
 * @throws {Error} when it ends before, with what it printed on standard error
 */
export const startServer = async (
  t: Test, program: string, args: string[], env: NodeJS.ProcessEnv = {}
): Promise<ServerProcess> => {
  const child = spawn(process.execPath, ['--liftoff-only', program, 'serve', '--port', '0', '--json', ...args], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'fatal', DRAIN_SECONDS: '0', RATE_LIMIT_READ_PER_MINUTE: '10000', ...env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[code], err]) => ({ code, err }))
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(({ err }) => { throw new Error(`the server ended: ${err}`) })
  ])
  return {
    ...JSON.parse(String(line)),
    stop: async () => {
      child.kill('SIGTERM')
      return await ended
    }
  }
}

export interface Answer { status: number, content: unknown }

export type Answers = Readonly<Record<string, Answer>>

interface Reply { result?: { structuredContent?: unknown, contents?: Array<{ text: string }> }, error?: unknown }

/** A request of the newest revision, which needs no session. */
const send = async (endpoint: string, key: string, method: string, params: Record<string, unknown>) => {
  const reply = await fetch(endpoint, modernRequest(key, method, params))
  return { status: reply.status, body: await reply.json() as Reply }
}

export const callTool = async (
  endpoint: string, key: string, name: string, args: Record<string, unknown> = {}
): Promise<Answer> => {
  const { status, body } = await send(endpoint, key, 'tools/call', { name, arguments: args })
  return { status, content: body.result?.structuredContent ?? body.error }
}

/** Ids of what a question finds. */
export const findIds = async (endpoint: string, key: string, query: string): Promise<string[]> => {
  const { content } = await callTool(endpoint, key, 'find_explorations', { query, limit: 5 })
  return (content as { explorations: Array<{ id: string }> }).explorations.map(({ id }) => id)
}

/** What the tools that read records answer to a key, about each exploration that it sees: the same records give the same answers. */
export const readEverything = async (endpoint: string, key: string): Promise<Record<string, Answer>> => {
  const workspaces = await callTool(endpoint, key, 'list_workspaces')
  const answers: Record<string, Answer> = { list_workspaces: workspaces }
  for (const { id: workspace } of (workspaces.content as { workspaces: Array<{ id: string }> }).workspaces) {
    const uri = `service://workspace/${workspace}/explorations`
    const { body } = await send(endpoint, key, 'resources/read', { uri })
    const { explorations } = JSON.parse(body.result!.contents![0]!.text) as { explorations: Array<{ id: string }> }
    for (const { id } of explorations) {
      for (const tool of ['get_exploration', 'get_planning_state', 'get_planning_full', 'get_recommendations']) {
        answers[`${tool} ${id}`] = await callTool(endpoint, key, tool, { exploration_id: id })
      }
      answers[`get_requirement_package ${id}`] =
        await callTool(endpoint, key, 'get_requirement_package', { exploration_id: id, artifact_type: 'code' })
    }
  }
  return answers
}

/**
 * The answers of an earlier build, with the one difference that is meant: `exploration_count` counted archived explorations too. Each other
 * byte of the records has to stay.
 */
export const withoutArchivedInCounts = (answers: Answers): Answers => {
  const inUse = Object.entries(answers).filter(([name]) => name.startsWith('get_exploration '))
    .map(([, { content }]) => content as { workspace_id: string, status: string }).filter(({ status }) => status !== 'archived')
  const { status, content } = answers['list_workspaces']!
  const workspaces = (content as { workspaces: Array<{ id: string }> }).workspaces.map((workspace) => ({
    ...workspace, exploration_count: inUse.filter(({ workspace_id: id }) => id === workspace.id).length
  }))
  return { ...answers, list_workspaces: { status, content: { ...content as object, workspaces } } }
}
