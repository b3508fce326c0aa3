/** People and service accounts by the command line, and the links that sign a person in. */
import changedUser from '#schemas/administration/changed_user.json' with { type: 'json' }
import newSignInLink from '#schemas/administration/new_sign_in_link.json' with { type: 'json' }
import newUser from '#schemas/administration/new_user.json' with { type: 'json' }
import signInLink from '#schemas/administration/sign_in_link.json' with { type: 'json' }
import signOut from '#schemas/administration/sign_out.json' with { type: 'json' }
import signedOutUser from '#schemas/administration/signed_out_user.json' with { type: 'json' }
import user from '#schemas/administration/user.json' with { type: 'json' }
import userChange from '#schemas/administration/user_change.json' with { type: 'json' }
import userPath from '#schemas/administration/user_path.json' with { type: 'json' }
import users from '#schemas/administration/users.json' with { type: 'json' }
import { SIGN_IN_LINK_CREATED, USER_CREATED } from '../audit-actions.js'
import { tagged } from '../operation.js'
import { OPERATOR } from '../permission.js'

export const usersOperations = tagged('people', {
  'POST /users': {
    id: 'createUser',
    summary: 'Create a person or a service account',
    may: OPERATOR,
    audit: [USER_CREATED, 'user/made server administrator'],
    body: newUser,
    response: user,
    status: 201
  },
  'GET /users': {
    id: 'listUsers',
    summary: 'List people and service accounts',
    may: OPERATOR,
    response: users
  },
  'PATCH /users/:user': {
    id: 'changeUser',
    summary: 'Make a server administrator or none, deactivate or activate',
    may: OPERATOR,
    audit: [
      'user/made server administrator', 'user/no server administrator any more', 'user/activated', 'user/deactivated'
    ],
    params: userPath,
    body: userChange,
    response: changedUser
  },
  'POST /users/:user/sign-out': {
    id: 'signOutUser',
    summary: 'End all sessions of a user',
    may: OPERATOR,
    audit: ['user/signed out', 'user/signed out, passkeys removed'],
    params: userPath,
    body: signOut,
    response: signedOutUser
  },
  'POST /sign-in-links': {
    id: 'createSignInLink',
    summary: 'Create a link that signs a person in, once',
    may: OPERATOR,
    audit: [SIGN_IN_LINK_CREATED],
    body: newSignInLink,
    response: signInLink,
    status: 201
  }
})
