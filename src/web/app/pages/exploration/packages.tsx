/** Requirement packages of an exploration: rendered, with a table of contents, and the raw text to copy. */
import { useState } from 'preact/hooks'
import { useOperation } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Card, Tabs } from '../../components/layout.js'
import { CopyButton } from '../../components/copy-button.js'
import { headingId, Markdown } from '../../components/markdown.js'
import { Note, Waiting } from '../../components/states.js'
import { Time } from '../../components/time.js'
import { useOpenForm } from '../../edit/editing.js'
import { formatNumber } from '../../lib/format.js'
import { useQueryState } from '../../lib/query-state.js'
import { sentenceCase } from '../../lib/words.js'
import type { ExplorationAnswer } from '../../api/answers.js'
import { Contents } from './contents.js'

const PREFIX = 'package-'
const MIN_TOC = 3

const RawMarkdown = ({ children }: { children: string }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
  <pre class='package-raw' tabIndex={0} role='region' aria-label='Markdown'><code>{children}</code></pre>
)

interface PackagesProps { id: string, artifacts: ExplorationAnswer['artifacts'], mayEdit: boolean }

export const Packages = ({ id, artifacts, mayEdit }: PackagesProps) => {
  const open = useOpenForm()
  const missing = ['design', 'code'].filter((type) => !artifacts.some(({ artifact_type: there }) => there === type))
  const { values, set } = useQueryState({ package: [] })
  const [view, setView] = useState<'text' | 'raw'>('text')
  const current = artifacts.find(({ artifact_type: type }) => type === values.package) ?? artifacts[0]
  const type = current?.artifact_type ?? ''
  const { value, ...loading } =
    useOperation('GET /explorations/:id/packages/:type', type === '' ? null : { params: { id, type } })
  const write = mayEdit && missing.length > 0 && (
    <Button size='s' icon='plus' onClick={() => open('write', missing.join())}>Write a package</Button>
  )
  if (!current) return <Card id='packages' title='Packages' description='None so far' actions={write} />
  const actions = (
    <>
      {artifacts.length > 1 && (
        <Tabs
          label='Package' value={type} onChange={(next) => set({ package: next })}
          tabs={artifacts.map(
            (artifact) => ({ value: artifact.artifact_type, label: sentenceCase(artifact.artifact_type) })
          )}
        />
      )}
      <Tabs
        label='Show as' value={view} onChange={setView}
        tabs={[{ value: 'text', label: 'Text' }, { value: 'raw', label: 'Markdown' }]}
      />
      {value && <CopyButton text={value.markdown} label='Copy markdown' />}
      {mayEdit && <Button size='s' icon='edit' onClick={() => open('package', type)}>Edit</Button>}
      <Button size='s' icon='history' onClick={() => open('versions', type)}>Versions</Button>
      {write}
    </>
  )
  return (
    <Card
      id='packages' title={value?.title ?? current.title} flush
      description={(
        <>
          {sentenceCase(type)} package, version {current.version}, {formatNumber(current.total_chars)} characters,
          updated <Time value={current.updated_at} />
        </>
      )}
      actions={actions}
    >
      {value === undefined
        ? <div class='package-text'><Waiting {...loading} lines={10} /></div>
        : view === 'raw'
          ? <RawMarkdown>{value.markdown}</RawMarkdown>
          : (
            <div class='package-text'>
              {value.cut && (
                <Note tone='warn'>
                  This package is very long: only its beginning is drawn here. Copy takes all of it.
                </Note>
              )}
              <div class='package-columns'>
                <Markdown tree={value.tree} level={3} prefix={PREFIX} />
                {value.toc.length >= MIN_TOC && (
                  <Contents
                    label='In this package'
                    entries={value.toc.map(
                      (entry) => ({ id: headingId(PREFIX, entry.id), label: entry.title, level: entry.level })
                    )}
                  />
                )}
              </div>
            </div>
            )}
    </Card>
  )
}
