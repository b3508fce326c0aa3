/** Every component in every state. Only Vite serves it, from the sources, at /dev/components. */
import { useState } from 'preact/hooks'
import { Avatar } from '../components/avatar.js'
import { Badge } from '../components/badge.js'
import { Button, IconButton, LinkButton } from '../components/button.js'
import { Card } from '../components/card.js'
import { Checkbox, CheckboxList, RadioCards } from '../components/choices.js'
import { CodeField } from '../components/code-field.js'
import { CopyButton } from '../components/copy-button.js'
import { DescriptionList } from '../components/description-list.js'
import { ConfirmDialog, Dialog } from '../components/dialog.js'
import { ErrorNote } from '../components/error-note.js'
import { Kbd } from '../components/kbd.js'
import { Menu } from '../components/menu.js'
import { Meter } from '../components/meter.js'
import { Note } from '../components/note.js'
import { PageHeader } from '../components/page-header.js'
import { Pagination } from '../components/pagination.js'
import { SearchField } from '../components/search-field.js'
import { SecretReveal } from '../components/secret-reveal.js'
import { Select } from '../components/select.js'
import { EmptyState, ErrorState, Skeleton, SkeletonText } from '../components/states.js'
import { CellLines, Table, type Column } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { DateField, TextArea, TextField } from '../components/text-field.js'
import { Time } from '../components/time.js'
import { showToast } from '../components/toast.js'
import { Tooltip } from '../components/tooltip.js'

interface SampleRow { id: string, name: string, count: number }

const ROWS: readonly SampleRow[] = [{ id: '1', name: 'First', count: 3 }, { id: '2', name: 'Second', count: 1200 }]
const COLUMNS: ReadonlyArray<Column<SampleRow>> = [
  { id: 'name', header: 'Name', sortable: true, cell: ({ name, id }) => <CellLines title={name}>row {id}</CellLines> },
  { id: 'count', header: 'Count', align: 'end', cell: ({ count }) => count }
]
const CHOICES = [
  { value: 'one', label: 'One', description: 'With a sentence', note: '120 a minute' },
  { value: 'two', label: 'Two', description: 'With another' },
  { value: 'three', label: 'Three', disabled: true }
] as const
type SampleChoice = typeof CHOICES[number]['value']
const nothing = (): void => {}

const Components = () => {
  const [text, setText] = useState('')
  const [choice, setChoice] = useState<SampleChoice>('one')
  const [values, setValues] = useState<string[]>(['a'])
  const [on, setOn] = useState(true)
  const [dialog, setDialog] = useState<'form' | 'confirm'>()
  const close = (): void => setDialog(undefined)
  return (
    <>
      <PageHeader
        title='Components'
        description='Each in its states.'
        actions={<Button variant='primary'>Primary</Button>}
      />
      <Card title='Buttons'>
        <div class='card-actions'>
          <Button variant='primary' icon='plus'>Primary</Button>
          <Button>Secondary</Button>
          <Button variant='ghost'>Ghost</Button>
          <Button variant='danger'>Danger</Button><Button size='s'>Small</Button><Button disabled>Disabled</Button>
          <Button pending>Pending</Button><LinkButton href='/'>Link</LinkButton><IconButton icon='edit' label='Edit' />
          <CopyButton text='copied' />
          <Menu label='Menu' items={[{ label: 'One', icon: 'edit' }, { label: 'Remove', danger: true }]} />
          <Tooltip text='It only adds'><Button>Tooltip</Button></Tooltip>
          <Button onClick={() => showToast('Done.')}>Toast</Button>
          <Button onClick={() => showToast('It failed.', 'bad')}>Failed toast</Button>
          <Button onClick={() => setDialog('form')}>Dialog</Button>
          <Button onClick={() => setDialog('confirm')}>Confirmation</Button>
        </div>
      </Card>
      <Card title='Fields'>
        <div class='form'>
          <div class='field-row'>
            <TextField label='Text' value={text} onInput={setText} placeholder='Placeholder' hint='A hint' />
            <TextField label='Wrong' value='x' onInput={nothing} error='Say what to do.' />
            <TextField label='Off' value='fixed' onInput={nothing} disabled />
            <DateField label='Date' value='2026-11-22' onInput={nothing} />
            <Select label='Select' value={choice} onChange={setChoice} options={CHOICES} />
          </div>
          <TextArea label='Lines' value={text} onInput={setText} />
          <RadioCards label='Cards' choices={CHOICES} value={choice} onChange={setChoice} />
          <CheckboxList
            label='Boxes'
            options={[{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }]}
            values={values}
            onChange={setValues}
          />
          <Checkbox label='One box' checked={on} onChange={setOn} />
          <SearchField label='Search' value={text} onInput={setText} large />
          <SearchField label='Filter' value='pending' onInput={nothing} pending />
        </div>
      </Card>
      <Card title='Texts'>
        <div class='form'>
          <div class='card-actions'>
            <Badge>Neutral</Badge>
            <Badge tone='accent'>Accent</Badge>
            <Badge tone='info'>Info</Badge>
            <Badge tone='good' icon='check'>Good</Badge>
            <Badge tone='warn' icon='clock'>Warn</Badge><Badge tone='bad'>Bad</Badge><Badge tone='clash'>Clash</Badge>
            <Kbd>?</Kbd><Avatar name='Ada Lovelace' /><Time value='2026-11-22T09:30:00Z' /><Time value={null} />
            <Meter used={1204} cap={10_000} label='Calls' />
            <Meter used={9310} cap={10_000} label='Calls near the limit' />
          </div>
          <Note>Info</Note><Note tone='good'>Good</Note><Note tone='warn'>Warn</Note><ErrorNote>Bad</ErrorNote>
          <CodeField label='address' text='https://plans.example.com/mcp' />
          <CodeField label='file' text={'{\n  "a": 1\n}'} multiline />
          <SecretReveal secret={`svc_key_${'A'.repeat(46)}`} kind='key' />
          <DescriptionList items={[['Name', 'Value'], ['Longer name', 'Another value']]} />
        </div>
      </Card>
      <Card
        title='A list' description='With everything that a list has.' flush
        actions={(
          <Tabs
            label='Which'
            tabs={[{ value: 'one', label: 'One', count: 2 }, { value: 'two', label: 'Two' }]}
            value='one'
            onChange={nothing}
          />
        )}
      >
        <Table
          label='Rows'
          columns={COLUMNS}
          rows={ROWS}
          rowKey={({ id }) => id}
          sort={{ column: 'name', descending: false }}
          onSort={nothing}
        />
        <Pagination shown={2} noun='rows' onMore={nothing} />
      </Card>
      <Card title='Loading' flush>
        <Table label='Loading rows' columns={COLUMNS} rows={undefined} rowKey={({ id }) => id} expected={2} />
      </Card>
      <Card title='Empty'>
        <EmptyState icon='key' title='No keys yet' action={<Button>New key</Button>}>What to do about it.</EmptyState>
      </Card>
      <Card title='Failed'><ErrorState message='The server cannot be reached.' onRetry={nothing} /></Card>
      <Card title='Skeletons'><SkeletonText /><Skeleton width='28px' height='28px' round /></Card>
      {dialog === 'form' && (
        <Dialog
          title='A form'
          description='Enter submits it.'
          onClose={close}
          onSubmit={close}
          footer={<Button type='submit' variant='primary'>Save</Button>}
        >
          <TextField label='In a dialog' value={text} onInput={setText} data-autofocus />
        </Dialog>
      )}
      {dialog === 'confirm' && (
        <ConfirmDialog
          title='Remove it?'
          description='It is gone then.'
          confirm='Remove'
          onConfirm={close}
          onClose={close}
        />
      )}
    </>
  )
}

export default Components
