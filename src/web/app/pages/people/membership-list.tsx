/** The workspaces of a person in one line, with roles in the tooltip. */
import type { Person } from '../../api/answers.js'

const SHOWN = 2

/** Draws the first names and how many there are beside them. */
export const MembershipList = ({ memberships }: Pick<Person, 'memberships'>) => {
  if (memberships.length === 0) return <span class='person-none'>none</span>
  const rest = memberships.length - SHOWN
  return (
    <span title={memberships.map(({ workspace, role }) => `${workspace.name}: ${role}`).join('\n')}>
      {memberships.slice(0, SHOWN).map(({ workspace }) => workspace.name).join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </span>
  )
}
