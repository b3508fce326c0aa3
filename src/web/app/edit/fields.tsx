/** The controls of forms. What is typed stays as it is; invisible characters in it are named below the control. */
import { Tabs } from '../components/layout.js'
import { useEffect, useState } from 'preact/hooks'
import type { MarkdownNode } from '../../../administration/views/markdown-node.js'
import { escapeInvisible } from '../../../lib/text/invisible.js'
import { Button, IconButton } from '../components/button.js'
import { Checkbox, CheckboxList } from '../components/choices.js'
import { Field as Labelled, Select } from '../components/fields.js'
import { Markdown } from '../components/markdown.js'
import { SkeletonText } from '../components/states.js'
import type { Field } from './form.js'
import './edit.css'

interface ControlProps { field: Field, value: string, onInput: (value: string) => void }

export const Control = (props: ControlProps) => {
  const { field: { kind, label, options = [] }, value, onInput } = props
  const list = { label, options, value }
  const onValues = (values: readonly unknown[]): void => onInput(JSON.stringify(values))
  switch (kind) {
    case 'select': return <Select {...list} onInput={onInput} />
    case 'checks': return <CheckboxList {...list} values={JSON.parse(value)} onChange={onValues} />
    case 'criteria': return <Criteria label={label} all={JSON.parse(value || '[]')} onChange={onValues} />
    case 'markdown': return <MarkdownText {...props} />
    case 'line': case 'text': return <Text {...props} />
  }
}

/** Such as `\u202e, \u200b`. */
const invisibleIn = (text: string): string => {
  const escapes = escapeInvisible(text.replace(/[\t\r\n\\]/g, ' ')).match(/\\u[0-9a-f]{4}/g) ?? []
  return [...new Set(escapes)].slice(0, 5).join(', ')
}

const Text = ({ field: { kind, label, hint }, value, onInput }: ControlProps) => {
  const unseen = invisibleIn(value)
  return (
    <Labelled label={label} hint={unseen === '' ? hint : `Invisible characters in it: ${unseen}`}>
      {(control) => (
        <textarea
          {...control} class='input textarea' dir='auto' rows={{ line: 1, text: 4 }[String(kind)] ?? 12} value={value}
          onInput={({ currentTarget: { value: text } }) => onInput(kind === 'line' ? text.replaceAll('\n', ' ') : text)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || kind === 'line')) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      )}
    </Labelled>
  )
}

const MarkdownText = (props: ControlProps) => {
  const [view, setView] = useState<'text' | 'preview'>('text')
  return (
    <div class='edit-markdown'>
      <Tabs
        label={`${props.field.label} as`} value={view} onChange={setView}
        tabs={[{ value: 'text', label: 'Text' }, { value: 'preview', label: 'Preview' }]}
      />
      {view === 'text' ? <Text {...props} /> : <Preview label={`Preview of ${props.field.label}`} text={props.value} />}
    </div>
  )
}

const Preview = ({ label, text }: { label: string, text: string }) => {
  const [tree, setTree] = useState<readonly MarkdownNode[]>()
  useEffect(() => {
    import('../../../administration/views/markdown-tree.js').then(
      ({ markdownTree }) => setTree(markdownTree(text, { add: () => true, exceeded: false }).tree),
      () => setTree([{ t: 'text', text: 'The preview could not be loaded. Check the connection.' }])
    )
  }, [text])
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
    <div class='edit-preview' role='group' aria-label={label} tabIndex={0}>
      {tree === undefined ? <SkeletonText /> : <Markdown tree={tree} level={2} prefix={`${label}-`} />}
    </div>
  )
}

interface Criterion { text: string, met: boolean }
interface CriteriaProps { label: string, all: readonly Criterion[], onChange: (all: readonly Criterion[]) => void }

const Criteria = ({ label, all, onChange }: CriteriaProps) => {
  const set = (at: number, part: Partial<Criterion>): void =>
    onChange(all.map((criterion, index) => index === at ? { ...criterion, ...part } : criterion))
  return (
    <fieldset class='edit-criteria'>
      <legend class='field-label'>{label}</legend>
      {all.map(({ text, met }, at) => (
        <div key={at} class='edit-criterion'>
          <Checkbox
            label={<span class='visually-hidden'>{`Criterion ${at + 1} is met`}</span>} checked={met}
            onChange={(on) => set(at, { met: on })}
          />
          <textarea
            class='input textarea' dir='auto' rows={1} aria-label={`Criterion ${at + 1}`} value={text}
            onInput={({ currentTarget }) => set(at, { text: currentTarget.value })}
          />
          <IconButton
            icon='trash' label={`Remove criterion ${at + 1}`} onClick={() => onChange(all.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button size='s' icon='plus' onClick={() => onChange([...all, { text: '', met: false }])}>Add a criterion</Button>
    </fieldset>
  )
}
