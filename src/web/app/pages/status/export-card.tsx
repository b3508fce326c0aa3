/** Downloads all records, or those of a workspace, as a file that an import reads. */
import { useState } from 'preact/hooks'
import { pathOf } from '../../api/call.js'
import { downloadUrl } from '../../api/resource.js'
import { LinkButton } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { Checkbox } from '../../components/choices.js'
import { WorkspaceSelect } from '../../components/fields.js'

export const ExportCard = () => {
  const [workspace, setWorkspace] = useState('')
  const [people, setPeople] = useState(false)
  const query = { workspace, people: people ? 'include' : 'exclude' }
  return (
    <Card
      title='Export'
      description={'Explorations, packages, plans and recommendations in one file that an import reads. Credentials ' +
        'and the audit log are not in it.'}
    >
      <div class='export'>
        <WorkspaceSelect which={{ archived: 'include', others: 'include' }} value={workspace} onChange={setWorkspace} />
        <Checkbox label='With people and memberships' checked={people} onChange={setPeople} />
        <LinkButton href={downloadUrl(pathOf('GET /export', {}, query))} download icon='download'>Download</LinkButton>
      </div>
    </Card>
  )
}
