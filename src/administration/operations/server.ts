/** What the command line alone does: people and service accounts, links that sign in, and the running server. */
import changedUser from '#schemas/administration/changed_user.json' with { type: 'json' }
import newSignInLink from '#schemas/administration/new_sign_in_link.json' with { type: 'json' }
import newUser from '#schemas/administration/new_user.json' with { type: 'json' }
import observations from '#schemas/administration/observations.json' with { type: 'json' }
import searchIndex from '#schemas/administration/search_index.json' with { type: 'json' }
import server from '#schemas/administration/server.json' with { type: 'json' }
import signInLink from '#schemas/administration/sign_in_link.json' with { type: 'json' }
import signOut from '#schemas/administration/sign_out.json' with { type: 'json' }
import signedOutUser from '#schemas/administration/signed_out_user.json' with { type: 'json' }
import user from '#schemas/administration/user.json' with { type: 'json' }
import userChange from '#schemas/administration/user_change.json' with { type: 'json' }
import userPath from '#schemas/administration/user_path.json' with { type: 'json' }
import users from '#schemas/administration/users.json' with { type: 'json' }
import { SIGN_IN_LINK_CREATED, USER_CREATED } from '../record-operation.js'
import { row, tagged } from '../operation.js'
import { OPERATOR } from '../permission.js'

const USER_CHANGES = [
  'user/made server administrator', 'user/no server administrator any more', 'user/activated', 'user/deactivated'
] as const
const SIGN_OUTS = ['user/signed out', 'user/signed out, passkeys removed'] as const

export const usersOperations = tagged('people', {
  'POST /users': row('createUser', 'Create a person or a service account', OPERATOR,
    { audit: [USER_CREATED, 'user/made server administrator'], body: newUser, response: user, status: 201 }),
  'GET /users': row('listUsers', 'List people and service accounts', OPERATOR, { response: users }),
  'PATCH /users/:user': row('changeUser', 'Make a server administrator or none, deactivate or activate', OPERATOR,
    { audit: USER_CHANGES, params: userPath, body: userChange, response: changedUser }),
  'POST /users/:user/sign-out': row('signOutUser', 'End all sessions of a user', OPERATOR,
    { audit: SIGN_OUTS, params: userPath, body: signOut, response: signedOutUser }),
  'POST /sign-in-links': row('createSignInLink', 'Create a link that signs a person in, once', OPERATOR,
    { audit: [SIGN_IN_LINK_CREATED], body: newSignInLink, response: signInLink, status: 201 })
})

export const serverOperations = tagged('server', {
  'GET /server': row('getServer', 'Version and address of the running server', OPERATOR, { response: server }),
  'GET /observations': row('listObservations', 'List observed clients and what each does wrong', OPERATOR,
    { response: observations }),
  'GET /search-index': row('getSearchIndex', 'The state of the search index', OPERATOR, { response: searchIndex }),
  'POST /search-index/rebuild': row('rebuildSearchIndex',
    'Rebuild the search index; searches use the old one until then', OPERATOR,
    { audit: ['search_index/rebuilt'], produces: ['application/x-ndjson'] })
})
