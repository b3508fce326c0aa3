/** What an agent gets when it asks for this exploration: each tool's answer, with the rights of who looks. */
import { useState } from 'preact/hooks'
import { pathOf } from '../../api/call.js'
import { useResource } from '../../api/resource.js'
import { Badge, Waiting } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Card, Tabs } from '../../components/layout.js'
import { CopyButton } from '../../components/copy-button.js'

// Stated here: `structured` may be any JSON, for which a type that is made from the schema has no end.
interface ToolAnswer {
  name: string
  title: string
  arguments: Record<string, unknown>
  is_error: boolean
  text: string
  structured?: unknown
}

export const AgentView = ({ id, uri }: { id: string, uri: string }) => {
  const [open, setOpen] = useState(false)
  const { value, ...loading } = useResource<{ tools: ToolAnswer[] }>(
    open ? pathOf('GET /explorations/:id/agent-view', { id }) : null
  )
  return (
    <Card
      id='agent-view' title='What the agent sees' flush={open}
      description='The answer of each tool for this exploration, with your rights.'
      actions={(
        <>
          <CopyButton text={uri} label='Copy resource address' iconOnly />
          {!open && <Button size='s' icon='eye' onClick={() => setOpen(true)}>Show</Button>}
        </>
      )}
    >
      {open && (value !== undefined
        ? <ul class='rows'>{value.tools.map((tool) => <Tool key={tool.name} tool={tool} />)}</ul>
        : <div class='package-text'><Waiting {...loading} lines={6} /></div>)}
    </Card>
  )
}

const Tool = (
  { tool: { name, title, arguments: args, is_error: isError, text, structured } }: { tool: ToolAnswer }
) => {
  const [view, setView] = useState<'text' | 'structured'>('text')
  const answer = view === 'text' ? text : JSON.stringify(structured, undefined, 2)
  return (
    <li>
      <details class='agent-tool'>
        <summary>
          <code class='agent-tool-name'>{name}</code>
          <span class='quiet'>{title}</span>
          {isError && <Badge tone='warn'>refused</Badge>}
        </summary>
        <div class='agent-tool-body'>
          <div class='agent-tool-bar'>
            <code class='agent-tool-arguments'>{JSON.stringify(args)}</code>
            {structured !== undefined && (
              <Tabs
                label={`Answer of ${name} as`} value={view} onChange={setView}
                tabs={[{ value: 'text', label: 'Text' }, { value: 'structured', label: 'JSON' }]}
              />
            )}
            <CopyButton text={answer} label={`Copy answer of ${name}`} />
          </div>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard */}
          <pre tabIndex={0} role='region' aria-label={`Answer of ${name}`}>{answer}</pre>
        </div>
      </details>
    </li>
  )
}
