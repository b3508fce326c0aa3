/** A choice among workspaces. */
import type { Query } from '../api/call.js'
import { useOperation } from '../api/resource.js'
import { Select, type SelectProps } from './select.js'

interface WorkspaceSelectProps extends Omit<SelectProps<string>, 'label' | 'options'> {
  /** Which there are beside the person's own. */
  which?: Query<'GET /workspaces'>
  /** What '' stands for. */
  none?: string
}

/** Draws it; its values are slugs. */
export const WorkspaceSelect = ({ which = {}, none = 'All workspaces', ...select }: WorkspaceSelectProps) => {
  const workspaces = useOperation('GET /workspaces', { query: which }).value?.workspaces ?? []
  const options = workspaces.map(({ slug, name }) => ({ value: slug, label: name }))
  return <Select label='Workspace' {...select} options={[{ value: '', label: none }, ...options]} />
}
