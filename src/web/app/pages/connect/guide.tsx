/** Agents to choose from, and the guide of one: a link or a command that adds the entry, or the entry itself. */
import type { ComponentChildren } from 'preact'
import { LinkButton } from '../../components/button.js'
import { CodeField } from '../../components/copy.js'
import { Skeleton, SkeletonText } from '../../components/states.js'

interface GuideProps {
  agent: {
    name: string
    docs: string
    instructions: string
    config_file: string | null
    snippet: string | null
    command?: string
    next_step: string
  }
  link: string | undefined
  linkNote?: ComponentChildren
  /** Puts what is not in the guide into its texts. */
  fill?: (text: string) => string
}

export const Guide = ({ agent, link, linkNote, fill = (text) => text }: GuideProps) => (
  <article class='connect-guide' aria-label={agent.name}>
    <header>
      <h3>{agent.name}</h3>
      <p>{agent.instructions} <a href={agent.docs} target='_blank' rel='noreferrer'>Its documentation</a></p>
    </header>
    {link !== undefined && (
      <div class='connect-link'>
        <LinkButton variant='secondary' icon='external' href={link}>{`Add to ${agent.name}`}</LinkButton>
        {linkNote !== undefined && <span class='field-hint'>{linkNote}</span>}
      </div>
    )}
    {agent.command !== undefined && (
      <div class='field'>
        <span class='field-label'>Command</span>
        <CodeField label={`command for ${agent.name}`} text={fill(agent.command)} wrap />
      </div>
    )}
    {agent.snippet !== null && (
      <div class='field'>
        <span class='field-label'>
          Entry{agent.config_file === null ? '' : <> in <code>{agent.config_file}</code></>}
        </span>
        <CodeField label={`entry for ${agent.name}`} text={fill(agent.snippet)} multiline />
      </div>
    )}
    {agent.next_step !== '' && <p class='connect-next'><b>Then:</b> {agent.next_step}</p>}
  </article>
)

export interface WayProps<Guide> {
  /** Undefined while it is loaded. */
  guide: Guide | undefined
  chosen: string | undefined
  onChoose: (id: string) => void
}

interface AgentListProps extends Omit<WayProps<unknown>, 'guide'> {
  agents: ReadonlyArray<{ id: string, name: string }> | undefined
  /** The guide; undefined while it is loaded. */
  children: ComponentChildren
}

export const AgentList = ({ agents, chosen, onChoose, children }: AgentListProps) => (
  <div class='connect-guides'>
    <div class='connect-agents' role='group' aria-label='Agent'>
      {agents
        ? agents.map(({ id, name }) => (
          <button
            key={id} type='button' class='connect-agent' aria-pressed={id === chosen} onClick={() => onChoose(id)}
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
