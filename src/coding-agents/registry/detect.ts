/** Which of the known agents are on this machine. */
import type { Agent, ManualAgent } from './agent.js'
import type { Host } from '../host.js'
import { locate } from './paths.js'
import { agents, manualAgents } from './known-agents.js'

export const detect = (host: Host): Agent[] => agents.filter((agent) => isHere(agent, host))

/** Those that are told what to do instead. */
export const detectManual = (host: Host): ManualAgent[] => manualAgents.filter((agent) => isHere(agent, host))

const isHere = ({ detectedBy }: { detectedBy: readonly string[] }, host: Host): boolean =>
  detectedBy.some((sign) => {
    const path = locate(sign, host)
    return path !== undefined && host.fileSystem.exists(path)
  })
