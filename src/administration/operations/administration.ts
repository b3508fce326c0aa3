/** People, invitations, service accounts, all credentials, imports and the state of the server. */
import shapes from '#schemas/operations/administration.json' with { type: 'json' }
import credentials from '#schemas/operations/credentials.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN_OR_ALL, SERVER_ADMINS, SERVER_ADMINS_OR_OPERATOR } from '../permission.js'

/** What an import may be sent as; the parser of these types gives the handler the stream. */
export const IMPORT_MEDIA_TYPES = ['application/x-ndjson', 'application/gzip', 'application/octet-stream']
const NDJSON = ['application/x-ndjson']

export const administrationOperations = tagged('administration', {
  'GET /people': row('listPeople', 'People', SERVER_ADMINS, { query: shapes.peopleQuery, response: shapes.people }),
  'GET /people/:id': row('getPerson', 'One person', SERVER_ADMINS, { params: paths.person, response: shapes.person }),
  'POST /people': row('createPerson', 'Add a person', SERVER_ADMINS,
    { body: shapes.newPerson, response: shapes.person, status: 201 }),
  'PATCH /people/:id': row('updatePerson', 'Rename, promote or deactivate a person', SERVER_ADMINS,
    { params: paths.person, body: shapes.personChange, response: shapes.person }),
  'DELETE /people/:id': row('deletePerson', 'Delete a person with their credentials', SERVER_ADMINS,
    { params: paths.person, response: shapes.person }),
  'GET /service-accounts': row('listServiceAccounts', 'Service accounts', OWN_OR_ALL,
    { response: shapes.serviceAccounts }),
  'POST /service-accounts': row('createServiceAccount', 'Add a service account', SERVER_ADMINS,
    { body: shapes.newServiceAccount, response: shapes.serviceAccount, status: 201 }),
  'PATCH /service-accounts/:id': row('updateServiceAccount',
    'Rename a service account, change its owner, or deactivate it', SERVER_ADMINS,
    { params: paths.person, body: shapes.serviceAccountChange, response: shapes.serviceAccount }),
  'GET /admin/credentials': row('listAllCredentials', 'All credentials of the server', SERVER_ADMINS_OR_OPERATOR,
    { query: shapes.adminCredentialsQuery, response: shapes.adminCredentials }),
  'DELETE /admin/credentials/:id': row('revokeAnyCredential', 'Revoke a credential of anybody', SERVER_ADMINS,
    { params: paths.credential, response: credentials.credential }),
  'POST /admin/credentials/replay': row('replayRevocations',
    'End again what an exported audit log says was revoked', OPERATOR,
    { audit: ['credentials/replayed'], consumes: IMPORT_MEDIA_TYPES, produces: NDJSON }),
  'POST /admin/credentials/end': row('endCredentials',
    'End all credentials and sessions that were issued before a time', OPERATOR,
    { audit: ['credentials/ended'], body: shapes.endCredentials, response: shapes.endedCredentials }),
  'POST /imports': row('importRecords', 'Import records; answers with progress', SERVER_ADMINS_OR_OPERATOR,
    { audit: ['records/imported'], query: shapes.importQuery, consumes: IMPORT_MEDIA_TYPES, produces: NDJSON }),
  'POST /plan-imports': row('importPlans',
    'Import the plans of a repository; answers with progress, what changed, and what vanished', OPERATOR,
    { audit: ['plans/imported'], query: shapes.importQuery, consumes: IMPORT_MEDIA_TYPES, produces: NDJSON }),
  'GET /plan-changes': row('listPlanChanges', 'What was changed here of plans from a source, for its files', OPERATOR,
    { query: shapes.planChangesQuery, response: shapes.planChanges }),
  'GET /export': row('exportRecords',
    'All records of the server or of a workspace, as an import reads them', SERVER_ADMINS_OR_OPERATOR,
    { audit: ['records/exported'], query: shapes.exportQuery, produces: NDJSON }),
  'GET /admin/status': row('getStatus', 'State of the server', SERVER_ADMINS, { response: shapes.adminStatus }),
  'GET /invitations': row('listInvitations', 'Invitations, newest first', SERVER_ADMINS,
    { query: shapes.pageQuery, response: shapes.invitations }),
  'POST /invitations': row('createInvitation', 'Invite a person; the link is shown only now', SERVER_ADMINS,
    { body: shapes.newInvitation, response: shapes.createdInvitation, status: 201 }),
  'DELETE /invitations/:id': row('revokeInvitation', 'Revoke an open invitation', SERVER_ADMINS,
    { params: paths.id, response: shapes.invitation })
})
