/** Which of the known agents are on this machine. */
import type { Agent, Instructed } from './agent.js'
import type { Machine } from '../host.js'
import { locate } from './paths.js'
import { agents, instructed } from './known-agents.js'

export const detect = (machine: Machine): Agent[] => agents.filter((agent) => isHere(agent, machine))

/** Those that are told what to do instead. */
export const detectInstructed = (machine: Machine): Instructed[] => instructed.filter((agent) => isHere(agent, machine))

const isHere = ({ signs }: { signs: readonly string[] }, machine: Machine): boolean =>
  signs.some((sign) => {
    const path = locate(sign, machine)
    return path !== undefined && machine.disk.exists(path)
  })
