/** What people do with their own account, and invitations. */
import account from '#schemas/web/account.json' with { type: 'json' }
import accountChange from '#schemas/web/account_change.json' with { type: 'json' }
import createdInvitation from '#schemas/web/created_invitation.json' with { type: 'json' }
import endedSessions from '#schemas/web/ended_sessions.json' with { type: 'json' }
import idPath from '#schemas/web/id_path.json' with { type: 'json' }
import invitation from '#schemas/web/invitation.json' with { type: 'json' }
import invitations from '#schemas/web/invitations.json' with { type: 'json' }
import newInvitation from '#schemas/web/new_invitation.json' with { type: 'json' }
import newPasskey from '#schemas/web/new_passkey.json' with { type: 'json' }
import pageQuery from '#schemas/web/page_query.json' with { type: 'json' }
import passkey from '#schemas/web/passkey.json' with { type: 'json' }
import passkeyCreationOptions from '#schemas/web/passkey_creation_options.json' with { type: 'json' }
import passkeyName from '#schemas/web/passkey_name.json' with { type: 'json' }
import passkeys from '#schemas/web/passkeys.json' with { type: 'json' }
import removedPasskey from '#schemas/web/removed_passkey.json' with { type: 'json' }
import sessionList from '#schemas/web/session_list.json' with { type: 'json' }
import { tagged } from '../operation.js'
import { OWN, SERVER_ADMINS } from '../permission.js'

const ownOperations = tagged('account', {
  'PATCH /account': {
    id: 'updateAccount',
    summary: 'Change one\'s own name, theme or time zone',
    may: OWN,
    body: accountChange,
    response: account
  },
  'GET /passkeys': {
    id: 'listPasskeys',
    summary: 'One\'s own passkeys',
    may: OWN,
    response: passkeys
  },
  'POST /passkeys/options': {
    id: 'getPasskeyCreationOptions',
    summary: 'Begin to add a passkey',
    may: OWN,
    response: passkeyCreationOptions
  },
  'POST /passkeys': {
    id: 'createPasskey',
    summary: 'Add a passkey',
    may: OWN,
    body: newPasskey,
    response: passkey,
    status: 201
  },
  'PATCH /passkeys/:id': {
    id: 'renamePasskey',
    summary: 'Rename a passkey',
    may: OWN,
    params: idPath,
    body: passkeyName,
    response: passkey
  },
  'DELETE /passkeys/:id': {
    id: 'deletePasskey',
    summary: 'Remove a passkey and the sessions that it opened',
    may: OWN,
    params: idPath,
    response: removedPasskey
  },
  'GET /sessions': {
    id: 'listSessions',
    summary: 'Where one is signed in',
    may: OWN,
    response: sessionList
  },
  'DELETE /sessions/:id': {
    id: 'endSession',
    summary: 'Sign out elsewhere',
    may: OWN,
    params: idPath,
    response: endedSessions
  },
  'DELETE /sessions': {
    id: 'endOtherSessions',
    summary: 'Sign out everywhere else',
    may: OWN,
    response: endedSessions
  }
})

const invitationOperations = tagged('administration', {
  'GET /invitations': {
    id: 'listInvitations',
    summary: 'Invitations, newest first',
    may: SERVER_ADMINS,
    query: pageQuery,
    response: invitations
  },
  'POST /invitations': {
    id: 'createInvitation',
    summary: 'Invite a person; the link is shown only now',
    may: SERVER_ADMINS,
    body: newInvitation,
    response: createdInvitation,
    status: 201
  },
  'DELETE /invitations/:id': {
    id: 'revokeInvitation',
    summary: 'Revoke an open invitation',
    may: SERVER_ADMINS,
    params: idPath,
    response: invitation
  }
})

export const accountOperations = { ...ownOperations, ...invitationOperations }
