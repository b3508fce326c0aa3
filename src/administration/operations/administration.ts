/** People, invitations, service accounts, all credentials, imports and the state of the server. */
import endCredentials from '#schemas/administration/end_credentials.json' with { type: 'json' }
import endedCredentials from '#schemas/administration/ended_credentials.json' with { type: 'json' }
import planChanges from '#schemas/administration/plan_changes.json' with { type: 'json' }
import planChangesQuery from '#schemas/administration/plan_changes_query.json' with { type: 'json' }
import adminCredentials from '#schemas/web/admin_credentials.json' with { type: 'json' }
import adminCredentialsQuery from '#schemas/web/admin_credentials_query.json' with { type: 'json' }
import adminStatus from '#schemas/web/admin_status.json' with { type: 'json' }
import credential from '#schemas/web/credential.json' with { type: 'json' }
import credentialPath from '#schemas/web/credential_path.json' with { type: 'json' }
import idPath from '#schemas/web/id_path.json' with { type: 'json' }
import importQuery from '#schemas/web/import_query.json' with { type: 'json' }
import exportQuery from '#schemas/web/export_query.json' with { type: 'json' }
import createdInvitation from '#schemas/web/created_invitation.json' with { type: 'json' }
import invitation from '#schemas/web/invitation.json' with { type: 'json' }
import invitations from '#schemas/web/invitations.json' with { type: 'json' }
import newInvitation from '#schemas/web/new_invitation.json' with { type: 'json' }
import pageQuery from '#schemas/web/page_query.json' with { type: 'json' }
import newPerson from '#schemas/web/new_person.json' with { type: 'json' }
import newServiceAccount from '#schemas/web/new_service_account.json' with { type: 'json' }
import people from '#schemas/web/people.json' with { type: 'json' }
import peopleQuery from '#schemas/web/people_query.json' with { type: 'json' }
import person from '#schemas/web/person.json' with { type: 'json' }
import personChange from '#schemas/web/person_change.json' with { type: 'json' }
import personPath from '#schemas/web/person_path.json' with { type: 'json' }
import serviceAccount from '#schemas/web/service_account.json' with { type: 'json' }
import serviceAccountChange from '#schemas/web/service_account_change.json' with { type: 'json' }
import serviceAccounts from '#schemas/web/service_accounts.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN_OR_ALL, SERVER_ADMINS, SERVER_ADMINS_OR_OPERATOR } from '../permission.js'

/** What an import may be sent as; the parser of these types gives the handler the stream. */
export const IMPORT_MEDIA_TYPES = ['application/x-ndjson', 'application/gzip', 'application/octet-stream']
const NDJSON = ['application/x-ndjson']

export const administrationOperations = tagged('administration', {
  'GET /people': row('listPeople', 'People', SERVER_ADMINS, { query: peopleQuery, response: people }),
  'GET /people/:id': row('getPerson', 'One person', SERVER_ADMINS, { params: personPath, response: person }),
  'POST /people': row('createPerson', 'Add a person', SERVER_ADMINS,
    { body: newPerson, response: person, status: 201 }),
  'PATCH /people/:id': row('updatePerson', 'Rename, promote or deactivate a person', SERVER_ADMINS,
    { params: personPath, body: personChange, response: person }),
  'DELETE /people/:id': row('deletePerson', 'Delete a person with their credentials', SERVER_ADMINS,
    { params: personPath, response: person }),
  'GET /service-accounts': row('listServiceAccounts', 'Service accounts', OWN_OR_ALL, { response: serviceAccounts }),
  'POST /service-accounts': row('createServiceAccount', 'Add a service account', SERVER_ADMINS,
    { body: newServiceAccount, response: serviceAccount, status: 201 }),
  'PATCH /service-accounts/:id': row('updateServiceAccount',
    'Rename a service account, change its owner, or deactivate it', SERVER_ADMINS,
    { params: personPath, body: serviceAccountChange, response: serviceAccount }),
  'GET /admin/credentials': row('listAllCredentials', 'All credentials of the server', SERVER_ADMINS_OR_OPERATOR,
    { query: adminCredentialsQuery, response: adminCredentials }),
  'DELETE /admin/credentials/:id': row('revokeAnyCredential', 'Revoke a credential of anybody', SERVER_ADMINS,
    { params: credentialPath, response: credential }),
  'POST /admin/credentials/replay': row('replayRevocations',
    'End again what an exported audit log says was revoked', OPERATOR,
    { audit: ['credentials/replayed'], consumes: IMPORT_MEDIA_TYPES, produces: NDJSON }),
  'POST /admin/credentials/end': row('endCredentials',
    'End all credentials and sessions that were issued before a time', OPERATOR,
    { audit: ['credentials/ended'], body: endCredentials, response: endedCredentials }),
  'POST /imports': row('importRecords', 'Import records; answers with progress', SERVER_ADMINS_OR_OPERATOR,
    { audit: ['records/imported'], query: importQuery, consumes: IMPORT_MEDIA_TYPES, produces: NDJSON }),
  'POST /plan-imports': row('importPlans',
    'Import the plans of a repository; answers with progress, what changed, and what vanished', OPERATOR,
    { audit: ['plans/imported'], query: importQuery, consumes: IMPORT_MEDIA_TYPES, produces: NDJSON }),
  'GET /plan-changes': row('listPlanChanges', 'What was changed here of plans from a source, for its files', OPERATOR,
    { query: planChangesQuery, response: planChanges }),
  'GET /export': row('exportRecords',
    'All records of the server or of a workspace, as an import reads them', SERVER_ADMINS_OR_OPERATOR,
    { audit: ['records/exported'], query: exportQuery, produces: NDJSON }),
  'GET /admin/status': row('getStatus', 'State of the server', SERVER_ADMINS, { response: adminStatus }),
  'GET /invitations': row('listInvitations', 'Invitations, newest first', SERVER_ADMINS,
    { query: pageQuery, response: invitations }),
  'POST /invitations': row('createInvitation', 'Invite a person; the link is shown only now', SERVER_ADMINS,
    { body: newInvitation, response: createdInvitation, status: 201 }),
  'DELETE /invitations/:id': row('revokeInvitation', 'Revoke an open invitation', SERVER_ADMINS,
    { params: idPath, response: invitation })
})
