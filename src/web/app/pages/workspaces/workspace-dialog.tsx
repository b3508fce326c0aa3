/** Creates a workspace, or changes the name and the description of one. */
import { useState } from 'preact/hooks'
import { call } from '../../api/call.js'
import { useAction } from '../../api/action.js'
import { invalidate } from '../../api/resource.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { ErrorNote } from '../../components/error-note.js'
import { TextField } from '../../components/text-field.js'
import { showToast } from '../../components/toast.js'
import { slugOf } from '../../lib/slug.js'
import type { WorkspaceRow } from '../../api/answers.js'

/** Draws the form; without `workspace` it creates one. */
export const WorkspaceDialog = ({ workspace, onClose }: { workspace?: WorkspaceRow, onClose: () => void }) => {
  const [name, setName] = useState(workspace?.name ?? '')
  const [slug, setSlug] = useState<string>()
  const [description, setDescription] = useState(workspace?.description ?? '')
  const shownSlug = slug ?? slugOf(name)
  const complete = name.trim() !== '' && (workspace !== undefined || shownSlug !== '')
  const { run, pending, error } = useAction(async () => {
    const texts = {
      name: name.trim(),
      ...(description.trim() !== '' || workspace?.description !== undefined) && { description: description.trim() }
    }
    if (workspace) await call('PATCH /workspaces/:id', { params: { id: workspace.id }, body: texts })
    else await call('POST /workspaces', { body: { ...texts, slug: shownSlug } })
    invalidate('/workspaces', '/session')
    showToast(workspace ? 'Workspace changed.' : 'Workspace created.')
    onClose()
  })
  return (
    <Dialog
      title={workspace ? `Rename ${workspace.name}` : 'Create a workspace'}
      onClose={onClose}
      onSubmit={() => { if (complete) run() }}
      footer={(
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant='primary' type='submit' pending={pending} disabled={!complete}>
            {workspace ? 'Save' : 'Create workspace'}
          </Button>
        </>
      )}
    >
      <TextField label='Name' value={name} onInput={setName} required maxLength={200} placeholder='Payments' />
      {!workspace && (
        <TextField
          label='Slug'
          value={shownSlug}
          onInput={setSlug}
          required
          maxLength={63}
          code
          spellcheck={false}
          hint='In addresses and commands; it does not change later.'
        />
      )}
      <TextField
        label='Description'
        value={description}
        onInput={setDescription}
        maxLength={2000}
        hint='Optional; agents read it to choose the right workspace.'
      />
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
    </Dialog>
  )
}
