/** Detects the known agents on this machine. */
import type { Agent, ManualAgent } from './agent.js'
import type { Host } from '../file-system.js'
import { locate } from './paths.js'
import { agents, manualAgents } from './known-agents.js'

/** The agents that have a file or folder of theirs here. */
export const detect = (host: Host): Agent[] => agents.filter((agent) => isHere(agent, host))

/** The agents whose user has to configure them by hand. */
export const detectManual = (host: Host): ManualAgent[] => manualAgents.filter((agent) => isHere(agent, host))

const isHere = ({ detectedBy }: { detectedBy: readonly string[] }, host: Host): boolean =>
  detectedBy.some((sign) => {
    const path = locate(sign, host)
    return path !== undefined && host.fileSystem.exists(path)
  })
