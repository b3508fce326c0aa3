/** Creates a workspace, or changes the name and the description of one. */
import { useState } from 'preact/hooks'
import { call } from '../../api/call.js'
import { FormDialog } from '../../components/dialog.js'
import { TextField } from '../../components/fields.js'
import type { WorkspaceRow } from '../../api/answers.js'

/** `Über Payments!` → `uber-payments`; at most 63 characters. */
const slugOf = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    .replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, 63).replace(/-+$/, '')

export const WorkspaceDialog = ({ workspace, onClose }: { workspace?: WorkspaceRow, onClose: () => void }) => {
  const [name, setName] = useState(workspace?.name ?? '')
  const [slug, setSlug] = useState<string>()
  const [description, setDescription] = useState(workspace?.description ?? '')
  const shownSlug = slug ?? slugOf(name)
  const complete = name.trim() !== '' && (workspace !== undefined || shownSlug !== '')
  const save = (): Promise<unknown> => {
    const texts = {
      name: name.trim(),
      ...(description.trim() !== '' || workspace?.description !== undefined) && { description: description.trim() }
    }
    return workspace
      ? call('PATCH /workspaces/:id', { params: { id: workspace.id }, body: texts })
      : call('POST /workspaces', { body: { ...texts, slug: shownSlug } })
  }
  return (
    <FormDialog
      title={workspace ? `Rename ${workspace.name}` : 'Create a workspace'}
      confirm={workspace ? 'Save' : 'Create workspace'} disabled={!complete} onClose={onClose}
      work={save} changes={['/workspaces', '/session']} done={workspace ? 'Workspace changed.' : 'Workspace created.'}
    >
      <TextField label='Name' value={name} onInput={setName} required maxLength={200} placeholder='Payments' />
      {!workspace && (
        <TextField
          label='Slug' value={shownSlug} onInput={setSlug} required maxLength={63} code spellcheck={false}
          hint='In addresses and commands; it does not change later.'
        />
      )}
      <TextField
        label='Description' value={description} onInput={setDescription} maxLength={2000}
        hint='Optional; agents read it to choose the right workspace.'
      />
    </FormDialog>
  )
}
