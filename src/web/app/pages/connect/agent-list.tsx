/** The agents to choose from, with the guide of the chosen one beside them. */
import type { ComponentChildren } from 'preact'
import { Skeleton, SkeletonText } from '../../components/states.js'

export interface AgentListProps {
  /** Undefined while they are loaded. */
  agents: ReadonlyArray<{ id: string, name: string }> | undefined
  chosen: string | undefined
  onChoose: (id: string) => void
  /** The guide; undefined while it is loaded. */
  children: ComponentChildren
}

/** Draws the list; `onChoose` gives the id of an agent. */
export const AgentList = ({ agents, chosen, onChoose, children }: AgentListProps) => (
  <div class='connect-guides'>
    <div class='connect-agents' role='group' aria-label='Agent'>
      {agents
        ? agents.map(({ id, name }) => (
          <button
            key={id}
            type='button'
            class='connect-agent'
            aria-pressed={id === chosen}
            onClick={() => onChoose(id)}
          >{name}
          </button>
        ))
        : Array.from({ length: 12 }, (_, index) => (
          <div key={index} class='connect-agent'><Skeleton width='5rem' /></div>
        ))}
    </div>
    {children ?? <SkeletonText lines={6} />}
  </div>
)
