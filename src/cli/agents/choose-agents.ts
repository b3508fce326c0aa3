/** Chooses the coding agents of a command: those that the user names, or those that are found on this machine. */
import type { Agent, ManualAgent } from '../../agent-setup/registry/agent.js'
import { detect, detectManual } from '../../agent-setup/registry/paths.js'
import type { Host } from '../../agent-setup/file-system.js'
import { agents, manualAgents } from '../../agent-setup/registry/known-agents.js'
import { Refusal } from '../../lib/errors.js'

export interface Chosen {
  agents: Agent[]
  instructed: ManualAgent[]
  named: boolean
}

export function chooseAgents (named: readonly string[] | undefined, host: Host): Chosen {
  if (named === undefined) {
    const found = { agents: detect(host), instructed: detectManual(host), named: false }
    if (found.agents.length + found.instructed.length === 0) {
      throw new Refusal(
        `No coding agent was found on this machine. Name one with --agent: ${knownAgents().join(', ')}.`
      )
    }
    return found
  }
  const ids = agentNames(named)
  return {
    agents: agents.filter(({ id }) => ids.includes(id)),
    instructed: manualAgents.filter(({ id }) => ids.includes(id)),
    named: true
  }
}

export const agentNames = (named: readonly string[]): string[] => {
  const words = named.flatMap((text) => text.split(','))
  const ids = [...new Set(words.map((id) => id.trim().toLowerCase()).filter((id) => id !== ''))]
  const unknown = ids.filter((id) => !knownAgents().includes(id)).map((id) => JSON.stringify(id.slice(0, 50)))
  if (unknown.length === 0) return ids
  throw new Refusal(`No agent is called ${unknown.join(', ')}. Known are ${knownAgents().join(', ')}.`)
}

const knownAgents = (): string[] => [...agents, ...manualAgents].map(({ id }) => id)
