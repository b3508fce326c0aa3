/** Imports a file of records: choose or drop it, see how far it is, see what it changed. */
import type { FromSchema } from 'json-schema-to-ts'
import { useRef, useState } from 'preact/hooks'
import type importLine from '#schemas/web/import_line.json'
import { useAction } from '../../api/action.js'
import { readProblem, RequestError } from '../../api/problem.js'
import { API_PREFIX } from '../../api/request.js'
import { clearCache, invalidate, useOperation } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Card, DescriptionList } from '../../components/layout.js'
import { classNames } from '../../components/class-names.js'
import { Icon } from '../../components/icon.js'
import { showDialog } from '../../components/show-dialog.js'
import { ErrorNote, Note } from '../../components/states.js'
import { BASE_PATH } from '../../lib/base-path.js'
import { countOf, formatBytes, formatNumber } from '../../lib/format.js'
import { sentenceCase } from '../../lib/words.js'

type ImportLine = FromSchema<typeof importLine>
type ImportLineSummary = NonNullable<ImportLine['summary']>
type ImportLineProgress = NonNullable<ImportLine['progress']>

export const ImportCard = ({ onImported }: { onImported: () => void }) => {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [over, setOver] = useState(false)
  const [progress, setProgress] = useState<ImportLineProgress>()
  const [summary, setSummary] = useState<ImportLineSummary>()
  const { run, pending, error, clearError } = useAction(async (chosen: File) => {
    setProgress(undefined)
    setSummary(undefined)
    setSummary(await importFile(chosen, setProgress))
    clearCache()
    invalidate('/session')
    onImported()
  })
  const choose = (files: FileList | null | undefined): void => {
    const chosen = files?.[0]
    if (chosen === undefined || pending) return
    clearError()
    setSummary(undefined)
    setFile(chosen)
  }
  return (
    <Card
      title='Import a file'
      description={'Explorations, packages, plans and people, one JSON record per line (NDJSON, also gzipped). ' +
        'What was changed here stays, with the file’s value as a proposal; the rest is replaced, all or nothing.'}
    >
      <div class='import'>
        {/* A target for the mouse; the button does the same. */}
        <div
          class={classNames('import-drop', over && 'import-over')}
          onDragOver={(event) => { event.preventDefault(); setOver(true) }} onDragLeave={() => setOver(false)}
          onDrop={(event) => { event.preventDefault(); setOver(false); choose(event.dataTransfer?.files) }}
        >
          <Icon name='upload' size={20} />
          <p>{file === undefined ? 'Drop a file here, or' : <><b>{file.name}</b>, {formatBytes(file.size)}</>}</p>
          <Button size='s' disabled={pending} onClick={() => input.current?.click()}>
            {file === undefined ? 'Choose a file' : 'Choose another'}
          </Button>
          <input
            ref={input} type='file' class='visually-hidden' tabIndex={-1} aria-label='File to import'
            accept='.ndjson,.jsonl,.json,.gz,application/x-ndjson,application/gzip'
            onChange={({ currentTarget }) => choose(currentTarget.files)}
          />
        </div>
        {error !== undefined && <ErrorNote>{error}</ErrorNote>}
        {(pending || progress !== undefined) && summary === undefined && error === undefined && (
          <Progress progress={progress} />
        )}
        {summary !== undefined && <Summary summary={summary} />}
        {file !== undefined && summary === undefined && (
          <div><Button variant='primary' icon='upload' pending={pending} onClick={() => run(file)}>Import</Button></div>
        )}
      </div>
    </Card>
  )
}

const Progress = ({ progress }: { progress: ImportLineProgress | undefined }) => {
  const total = progress?.total === undefined ? '' : ` of ${formatNumber(progress.total)}`
  const share = progress?.total ? Math.min(1, progress.done / progress.total) : undefined
  return (
    <div class='import-progress'>
      <p role='status'>
        {progress === undefined
          ? 'Sending the file'
          : `${sentenceCase(progress.phase)}: ${formatNumber(progress.done)}${total}`}
      </p>
      <progress aria-label='Import' max={1} value={share} />
    </div>
  )
}

const Summary = ({ summary: { total, records, admin } }: { summary: ImportLineSummary }) => {
  const { value } = useOperation('GET /workspaces', { query: { others: 'include' } })
  const join = async (): Promise<void> => {
    const { JoinDialog } = await import('../workspaces/dialogs.js')
    showDialog(<JoinDialog workspaces={joinable} />)
  }
  const made = records['workspace']?.created ?? 0
  const joinable = value?.workspaces.filter(({ role }) => role === null) ?? []
  return (
    <div class='import-summary' role='status'>
      <p><Icon name='check' /> <b>{formatNumber(total)} records imported</b></p>
      <DescriptionList
        items={Object.fromEntries(Object.entries(records).map(([type, { created, replaced }]) => [
          sentenceCase(type),
          created + replaced > 0 && `${formatNumber(created)} new, ${formatNumber(replaced)} replaced`
        ]))}
      />
      {admin !== undefined && (
        <Note tone='good'>
          {countOf(made, 'workspace')} {made === 1 ? 'is' : 'are'} new. You are a member of each, so that you and your
          agents see what was imported.
        </Note>
      )}
      {joinable.length > 0 && (
        <Note>
          You are not a member of {countOf(joinable.length, 'workspace')}: you and your agents do not see what is
          there.{' '}
          <Button size='s' onClick={() => { void join() }}>
            {joinable.length === 1 ? 'Join it' : `Join all ${joinable.length}`}
          </Button>
        </Note>
      )}
    </div>
  )
}

const UNFINISHED =
  'The connection ended before the import did. Reload the page to see what is there, then import the file again.'

/** @throws {RequestError} with a sentence to show, when the server refused or stopped */
const importFile = async (
  file: File, onProgress: (progress: ImportLineProgress) => void
): Promise<ImportLineSummary> => {
  const response = await fetch(`${BASE_PATH}${API_PREFIX}/imports`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      'content-type': file.name.endsWith('.gz') ? 'application/gzip' : 'application/x-ndjson',
      'x-exploration-mcp': 'web'
    },
    body: file
  })
  if (!response.ok || response.body === null) throw await readProblem(response)
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const summary = takeLine(line, onProgress)
      if (summary !== undefined) return summary
    }
  }
  const summary = takeLine(rest, onProgress)
  if (summary === undefined) throw new RequestError(UNFINISHED, 0)
  return summary
}

const takeLine = (line: string, onProgress: (progress: ImportLineProgress) => void): ImportLineSummary | undefined => {
  if (line.trim() === '') return undefined
  const { progress, summary, problem }: ImportLine = JSON.parse(line)
  if (problem !== undefined) throw new RequestError(problem.detail, problem.status)
  if (progress !== undefined) onProgress(progress)
  return summary
}
