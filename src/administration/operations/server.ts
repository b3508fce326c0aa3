/** What the command line alone does: people and service accounts, links that sign in, and the running server. */
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import shapes from '#schemas/operations/server.json' with { type: 'json' }
import { SIGN_IN_LINK_CREATED, USER_CREATED } from '../operator.js'
import { row, tagged } from '../operation.js'
import { OPERATOR } from '../permission.js'

const USER_CHANGES = [
  'user/made server administrator', 'user/no server administrator any more', 'user/activated', 'user/deactivated'
] as const
const SIGN_OUTS = ['user/signed out', 'user/signed out, passkeys removed'] as const

export const usersOperations = tagged('people', {
  'POST /users': row('createUser', 'Create a person or a service account', OPERATOR,
    { audit: [USER_CREATED, USER_CHANGES[0]], body: shapes.newUser, response: shapes.user, status: 201 }),
  'GET /users': row('listUsers', 'List people and service accounts', OPERATOR, { response: shapes.users }),
  'PATCH /users/:user': row('changeUser', 'Make a server administrator or none, deactivate or activate', OPERATOR,
    { audit: USER_CHANGES, params: paths.user, body: shapes.userChange, response: shapes.changedUser }),
  'POST /users/:user/sign-out': row('signOutUser', 'End all sessions of a user', OPERATOR,
    { audit: SIGN_OUTS, params: paths.user, body: shapes.signOut, response: shapes.signedOutUser }),
  'POST /sign-in-links': row('createSignInLink', 'Create a link that signs a person in, once', OPERATOR,
    { audit: [SIGN_IN_LINK_CREATED], body: shapes.newSignInLink, response: shapes.signInLink, status: 201 })
})

export const serverOperations = tagged('server', {
  'GET /server': row('getServer', 'Version and address of the running server', OPERATOR, { response: shapes.server }),
  'GET /observations': row('listObservations', 'List observed clients and what each does wrong', OPERATOR,
    { response: shapes.observations }),
  'GET /search-index': row('getSearchIndex', 'The state of the search index', OPERATOR,
    { response: shapes.searchIndex }),
  'POST /search-index/rebuild': row('rebuildSearchIndex',
    'Rebuild the search index; searches use the old one until then', OPERATOR,
    { audit: ['search_index/rebuilt'], produces: ['application/x-ndjson'] })
})
