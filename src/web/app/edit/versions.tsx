/** The versions of a package, and what differs between two of them. */
import { useState } from 'preact/hooks'
import { useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { ErrorNote, SkeletonText } from '../components/states.js'
import { Select } from '../components/fields.js'
import { WordDiff } from '../components/word-diff.js'
import { exactTime } from '../lib/format.js'

interface VersionsProps { exploration: string, type: string, onClose: () => void }

export const Versions = ({ exploration: id, type, onClose }: VersionsProps) => {
  const [chosen, choose] = useState<{ from?: string, to?: string }>({})
  const list = useOperation('GET /explorations/:id/packages/:type/versions', { params: { id, type } })
  const options = list.value?.versions.map(({ version, at, by }) =>
    ({ value: String(version), label: [version, exactTime(new Date(at)), by].filter(Boolean).join(' · ') })) ?? []
  const { to = options[0]?.value, from = options[1]?.value } = chosen
  const [older, newer] = [useText(id, type, from), useText(id, type, to)]
  const error = list.error ?? older.error ?? newer.error
  const isOnly = options.length === 1
  return (
    <Dialog
      title={`Versions of the ${type} package`} onClose={onClose} wide footer={<Button onClick={onClose}>Close</Button>}
    >
      {isOnly && <p>There is one version so far, and nothing to compare it with: {options[0]?.label}</p>}
      {from !== undefined && to !== undefined && (
        <div class='field-row'>
          <Select label='From' options={options} value={from} onInput={(value) => choose({ to, from: value })} />
          <Select label='To' options={options} value={to} onInput={(value) => choose({ from, to: value })} />
        </div>
      )}
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
      {older.value && newer.value && <WordDiff before={older.value.markdown} after={newer.value.markdown} />}
      {error === undefined && !isOnly && !(older.value && newer.value) && <SkeletonText />}
    </Dialog>
  )
}

const useText = (id: string, type: string, version = '') => useOperation(
  'GET /explorations/:id/packages/:type/versions/:version', version === '' ? null : { params: { id, type, version } })
