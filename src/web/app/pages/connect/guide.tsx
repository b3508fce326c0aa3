/** The guide of one agent: a link that adds the entry, a command that does, or the entry itself. */
import type { ComponentChildren } from 'preact'
import { LinkButton } from '../../components/button.js'
import { CodeField } from '../../components/code-field.js'

export interface GuideProps {
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

/** Draws the guide of one agent. */
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
