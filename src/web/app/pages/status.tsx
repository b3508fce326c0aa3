/** The state of the server, the import of a file, and the export of all records. */
import { useState } from 'preact/hooks'
import { pathOf, type Answer } from '../api/call.js'
import { downloadUrl, useOperation } from '../api/resource.js'
import { LinkButton } from '../components/button.js'
import { Checkbox } from '../components/choices.js'
import { WorkspaceSelect } from '../components/fields.js'
import { Badge, Note, Waiting } from '../components/states.js'
import { Card, DescriptionList, PageHeader } from '../components/layout.js'
import { Time } from '../components/time.js'
import { formatBytes, formatNumber } from '../lib/format.js'
import { ImportCard } from './status/import-card.js'
import './status/status.css'

type ServerStatus = Answer<'GET /admin/status'>

const Status = () => {
  const { value, reload, ...loading } = useOperation('GET /admin/status')
  return (
    <>
      <PageHeader
        title='Server'
        description={value && <>Version {value.server.version}, started <Time value={value.server.started_at} /></>}
      />
      {value ? <Cards status={value} /> : <Card><Waiting {...loading} lines={10} /></Card>}
      {/* With the cards above, so that they do not move when those come. */}
      {(value ?? loading.error) !== undefined && <><ImportCard onImported={reload} /><ExportCard /></>}
    </>
  )
}

const STATES = {
  complete: ['good', 'Complete'],
  building: ['info', 'Being built'],
  waiting: ['warn', 'Waiting']
} as const

const Cards = ({ status }: { status: ServerStatus }) => {
  const { server, replicas, database, records, search_index: index, sign_in: signIn, audit } = status
  const [tone, word] = STATES[index.state]
  return (
    <div class='status-cards'>
      <Card title='Server'>
        <DescriptionList
          items={{
            Endpoint: <code>{server.endpoint ?? 'not known'}</code>,
            'Public address': server.public_url === null ? 'not set' : <code>{server.public_url}</code>,
            Replicas: replicas.count === null ? 'not known' : formatNumber(replicas.count),
            'Shared state': replicas.shared_state === 'none'
              ? 'none: one process'
              : `Valkey, ${replicas.shared_state_available ? 'available' : 'not available'}`,
            Version: `${server.name} ${server.version}, Node ${server.node}`
          }}
        />
      </Card>
      <Card title='Database'>
        <DescriptionList
          items={{
            Kind: database.kind === 'embedded' ? 'Embedded' : 'PostgreSQL',
            State: database.ready
              ? <Badge tone='good'>Ready</Badge>
              : <Badge tone='bad'>Not ready</Badge>,
            Version: database.version,
            Size: formatBytes(database.size_bytes),
            Explorations: `${formatNumber(records.explorations)}, with archived ones`,
            Workspaces: formatNumber(records.workspaces),
            People: formatNumber(records.people),
            'Service accounts': formatNumber(records.service_accounts),
            Credentials: formatNumber(records.credentials)
          }}
        />
      </Card>
      <Card title='Search' actions={<Badge tone={tone}>{word}</Badge>}>
        <DescriptionList
          items={{
            Embedder: <code>{index.embedder}</code>,
            Index: `version ${index.version}, ${formatNumber(index.explorations)} explorations`,
            Waiting: index.pending > 0 && formatNumber(index.pending),
            'Answers by': index.answering !== index.embedder && index.answering
          }}
        />
        {index.reason !== undefined && <Note tone='warn'>{index.reason}</Note>}
        {index.questions !== undefined && <Note>{index.questions}</Note>}
      </Card>
      <Card title='Sign-in'>
        <DescriptionList
          items={{
            Passkeys: signIn.passkeys ? 'on' : 'off',
            'Single sign-on': signIn.oidc === null ? 'not set up' : signIn.oidc.name,
            Issuer: signIn.oidc && <code>{signIn.oidc.issuer}</code>,
            Domains: signIn.oidc && (signIn.oidc.allowed_domains.join(', ') || 'any'),
            'First role': signIn.oidc && (signIn.oidc.default_role ?? 'none'),
            'Audit log is kept':
              audit.retention_days === null ? 'for ever' : `${formatNumber(audit.retention_days)} days`
          }}
        />
      </Card>
    </div>
  )
}

const ExportCard = () => {
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
        <WorkspaceSelect which={{ archived: 'include', others: 'include' }} value={workspace} onInput={setWorkspace} />
        <Checkbox label='With people and memberships' checked={people} onChange={setPeople} />
        <LinkButton href={downloadUrl(pathOf('GET /export', {}, query))} download icon='download'>Download</LinkButton>
      </div>
    </Card>
  )
}

export default Status
