/** People, service accounts, all credentials, imports and the state of the server. */
import endCredentials from '#schemas/administration/end_credentials.json' with { type: 'json' }
import endedCredentials from '#schemas/administration/ended_credentials.json' with { type: 'json' }
import planChanges from '#schemas/administration/plan_changes.json' with { type: 'json' }
import planChangesQuery from '#schemas/administration/plan_changes_query.json' with { type: 'json' }
import adminCredentials from '#schemas/web/admin_credentials.json' with { type: 'json' }
import adminCredentialsQuery from '#schemas/web/admin_credentials_query.json' with { type: 'json' }
import adminStatus from '#schemas/web/admin_status.json' with { type: 'json' }
import credential from '#schemas/web/credential.json' with { type: 'json' }
import credentialPath from '#schemas/web/credential_path.json' with { type: 'json' }
import importQuery from '#schemas/web/import_query.json' with { type: 'json' }
import exportQuery from '#schemas/web/export_query.json' with { type: 'json' }
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
import { tagged } from '../operation.js'
import { OPERATOR, OWN_OR_ALL, SERVER_ADMINS, SERVER_ADMINS_OR_OPERATOR } from '../permission.js'

/** What an import may be sent as; the parser of these types gives the handler the stream. */
export const IMPORT_MEDIA_TYPES = ['application/x-ndjson', 'application/gzip', 'application/octet-stream']

export const administrationOperations = tagged('administration', {
  'GET /people': {
    id: 'listPeople',
    summary: 'People',
    may: SERVER_ADMINS,
    query: peopleQuery,
    response: people
  },
  'GET /people/:id': {
    id: 'getPerson',
    summary: 'One person',
    may: SERVER_ADMINS,
    params: personPath,
    response: person
  },
  'POST /people': {
    id: 'createPerson',
    summary: 'Add a person',
    may: SERVER_ADMINS,
    body: newPerson,
    response: person,
    status: 201
  },
  'PATCH /people/:id': {
    id: 'updatePerson',
    summary: 'Rename, promote or deactivate a person',
    may: SERVER_ADMINS,
    params: personPath,
    body: personChange,
    response: person
  },
  'DELETE /people/:id': {
    id: 'deletePerson',
    summary: 'Delete a person with their credentials',
    may: SERVER_ADMINS,
    params: personPath,
    response: person
  },
  'GET /service-accounts': {
    id: 'listServiceAccounts',
    summary: 'Service accounts',
    may: OWN_OR_ALL,
    response: serviceAccounts
  },
  'POST /service-accounts': {
    id: 'createServiceAccount',
    summary: 'Add a service account',
    may: SERVER_ADMINS,
    body: newServiceAccount,
    response: serviceAccount,
    status: 201
  },
  'PATCH /service-accounts/:id': {
    id: 'updateServiceAccount',
    summary: 'Rename a service account, change its owner, or deactivate it',
    may: SERVER_ADMINS,
    params: personPath,
    body: serviceAccountChange,
    response: serviceAccount
  },
  'GET /admin/credentials': {
    id: 'listAllCredentials',
    summary: 'All credentials of the server',
    may: SERVER_ADMINS_OR_OPERATOR,
    query: adminCredentialsQuery,
    response: adminCredentials
  },
  'DELETE /admin/credentials/:id': {
    id: 'revokeAnyCredential',
    summary: 'Revoke a credential of anybody',
    may: SERVER_ADMINS,
    params: credentialPath,
    response: credential
  },
  'POST /admin/credentials/replay': {
    id: 'replayRevocations',
    summary: 'End again what an exported audit log says was revoked',
    may: OPERATOR,
    audit: ['credentials/replayed'],
    consumes: IMPORT_MEDIA_TYPES,
    produces: ['application/x-ndjson']
  },
  'POST /admin/credentials/end': {
    id: 'endCredentials',
    summary: 'End all credentials and sessions that were issued before a time',
    may: OPERATOR,
    audit: ['credentials/ended'],
    body: endCredentials,
    response: endedCredentials
  },
  'POST /imports': {
    id: 'importRecords',
    summary: 'Import records; answers with progress',
    may: SERVER_ADMINS_OR_OPERATOR,
    audit: ['records/imported'],
    query: importQuery,
    consumes: IMPORT_MEDIA_TYPES,
    produces: ['application/x-ndjson']
  },
  'POST /plan-imports': {
    id: 'importPlans',
    summary: 'Import the plans of a repository; answers with progress, what changed, and what vanished',
    may: OPERATOR,
    audit: ['plans/imported'],
    query: importQuery,
    consumes: IMPORT_MEDIA_TYPES,
    produces: ['application/x-ndjson']
  },
  'GET /plan-changes': {
    id: 'listPlanChanges',
    summary: 'What was changed here of plans from a source, for its files',
    may: OPERATOR,
    query: planChangesQuery,
    response: planChanges
  },
  'GET /export': {
    id: 'exportRecords',
    summary: 'All records of the server or of a workspace, as an import reads them',
    may: SERVER_ADMINS_OR_OPERATOR,
    audit: ['records/exported'],
    query: exportQuery,
    produces: ['application/x-ndjson']
  },
  'GET /admin/status': {
    id: 'getStatus',
    summary: 'State of the server',
    may: SERVER_ADMINS,
    response: adminStatus
  }
})
