/** The state of the server, the import of a file, and the export of all records. */
import { useOperation } from '../api/resource.js'
import type { Answer } from '../api/call.js'
import { Badge, ErrorState, Note, SkeletonText } from '../components/states.js'
import { Card, DescriptionList, PageHeader } from '../components/layout.js'
import { Time } from '../components/time.js'
import { formatBytes, formatNumber } from '../lib/format-number.js'
import { ExportCard } from './status/export-card.js'
import { ImportCard } from './status/import-card.js'
import './status/status.css'

type ServerStatus = Answer<'GET /admin/status'>

const Status = () => {
  const { value, error, reload, retry, pending } = useOperation('GET /admin/status')
  return (
    <>
      <PageHeader
        title='Server'
        description={value && <>Version {value.server.version}, started <Time value={value.server.started_at} /></>}
      />
      {error !== undefined && value === undefined && (
        <Card><ErrorState message={error} onRetry={retry} pending={pending} /></Card>
      )}
      {value === undefined && error === undefined && <Card><SkeletonText lines={10} /></Card>}
      {value && <Cards status={value} />}
      {/* With the cards above, so that they do not move when those come. */}
      {(value !== undefined || error !== undefined) && <><ImportCard onImported={reload} /><ExportCard /></>}
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
          items={[
            ['Endpoint', <code key='endpoint'>{server.endpoint ?? 'not known'}</code>],
            ['Public address', server.public_url === null ? 'not set' : <code key='url'>{server.public_url}</code>],
            ['Replicas', replicas.count === null ? 'not known' : formatNumber(replicas.count)],
            ['Shared state', replicas.shared_state === 'none'
              ? 'none: one process'
              : `Valkey, ${replicas.shared_state_available ? 'available' : 'not available'}`],
            ['Version', `${server.name} ${server.version}, Node ${server.node}`]
          ]}
        />
      </Card>
      <Card title='Database'>
        <DescriptionList
          items={[
            ['Kind', database.kind === 'embedded' ? 'Embedded' : 'PostgreSQL'],
            ['State', database.ready
              ? <Badge key='state' tone='good'>Ready</Badge>
              : <Badge key='state' tone='bad'>Not ready</Badge>],
            ['Version', database.version],
            ['Size', formatBytes(database.size_bytes)],
            ['Explorations', `${formatNumber(records.explorations)}, with archived ones`],
            ['Workspaces', formatNumber(records.workspaces)],
            ['People', formatNumber(records.people)],
            ['Service accounts', formatNumber(records.service_accounts)],
            ['Credentials', formatNumber(records.credentials)]
          ]}
        />
      </Card>
      <Card title='Search' actions={<Badge tone={tone}>{word}</Badge>}>
        <DescriptionList
          items={[
            ['Embedder', <code key='embedder'>{index.embedder}</code>],
            ['Index', `version ${index.version}, ${formatNumber(index.explorations)} explorations`],
            ...index.pending > 0 ? [['Waiting', formatNumber(index.pending)] as const] : [],
            ...index.answering !== null && index.answering !== index.embedder
              ? [['Answers by', index.answering] as const]
              : []
          ]}
        />
        {index.reason !== undefined && <Note tone='warn'>{index.reason}</Note>}
        {index.questions !== undefined && <Note>{index.questions}</Note>}
      </Card>
      <Card title='Sign-in'>
        <DescriptionList
          items={[
            ['Passkeys', signIn.passkeys ? 'on' : 'off'],
            ['Single sign-on', signIn.oidc === null ? 'not set up' : signIn.oidc.name],
            ...signIn.oidc !== null
              ? [
                  ['Issuer', <code key='issuer'>{signIn.oidc.issuer}</code>] as const,
                  ['Domains', signIn.oidc.allowed_domains.join(', ') || 'any'] as const,
                  ['First role', signIn.oidc.default_role ?? 'none'] as const
                ]
              : [],
            [
              'Audit log is kept',
              audit.retention_days === null ? 'for ever' : `${formatNumber(audit.retention_days)} days`
            ]
          ]}
        />
      </Card>
    </div>
  )
}

export default Status
