/** Which form is open stands in the address (`?edit=item:i7`): a reload and signing in again lead back to it. */
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { showToast } from '../components/toast.js'
import { useSessionState } from '../lib/session.js'
import type { PlanRecord } from '../plan/plan-record.js'

/** Opens a form in a step that *Back* returns from; '' closes it. */
const useForm = (): (edit: string) => void => {
  const { path, route } = useLocation()
  return (edit) => {
    const query = new URLSearchParams(location.search)
    query.delete('edit')
    if (edit !== '') query.set('edit', edit)
    route(`${path}?${query}`.replace(/\?$/, ''), edit === '')
  }
}

/** Returns the function that opens a form, such as `open('item', 'i7')`. */
export const useOpenForm = (): (name: string, id?: string) => void => {
  const set = useForm()
  return (name, id = '') => set(`${name}:${id}`)
}

export const useWritable = () => useSessionState()?.session.memberships.filter(({ role }) => role !== 'viewer')
  .map(({ workspace: { id, name } }) => ({ value: id, label: name })) ?? []

interface EditingProps { exploration?: string, plan?: PlanRecord | undefined, mayEdit: boolean }

/** Draws the form that the address names; who may not write can compare the versions of a package. */
export const Editing = ({ exploration = '', plan, mayEdit }: EditingProps) => {
  const { query: { edit = '' } } = useLocation()
  const set = useForm()
  const workspaces = useWritable()
  const [loaded, setLoaded] = useState<typeof import('./edit-dialog.js')>()
  useEffect(() => {
    if (edit === '' || loaded) return
    import('./edit-dialog.js').then(setLoaded, () => showToast('The form could not be loaded. Reload the page.', 'bad'))
  }, [edit])
  if (edit === '' || loaded === undefined || !(mayEdit || edit.startsWith('versions:'))) return null
  const at = edit.indexOf(':')
  const subject = { exploration, id: edit.slice(at + 1), plan, workspaces }
  return <loaded.EditDialog key={edit} name={edit.slice(0, at)} subject={subject} onClose={() => set('')} />
}
