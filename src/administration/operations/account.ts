/** What people do with their own account. */
import account from '#schemas/web/account.json' with { type: 'json' }
import accountChange from '#schemas/web/account_change.json' with { type: 'json' }
import endedSessions from '#schemas/web/ended_sessions.json' with { type: 'json' }
import idPath from '#schemas/web/id_path.json' with { type: 'json' }
import newPasskey from '#schemas/web/new_passkey.json' with { type: 'json' }
import passkey from '#schemas/web/passkey.json' with { type: 'json' }
import passkeyCreationOptions from '#schemas/web/passkey_creation_options.json' with { type: 'json' }
import passkeyName from '#schemas/web/passkey_name.json' with { type: 'json' }
import passkeys from '#schemas/web/passkeys.json' with { type: 'json' }
import removedPasskey from '#schemas/web/removed_passkey.json' with { type: 'json' }
import sessionList from '#schemas/web/session_list.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OWN } from '../permission.js'

export const accountOperations = tagged('account', {
  'PATCH /account': row('updateAccount', 'Change one\'s own name, theme or time zone', OWN,
    { body: accountChange, response: account }),
  'GET /passkeys': row('listPasskeys', 'One\'s own passkeys', OWN, { response: passkeys }),
  'POST /passkeys/options': row('getPasskeyCreationOptions', 'Begin to add a passkey', OWN,
    { response: passkeyCreationOptions }),
  'POST /passkeys': row('createPasskey', 'Add a passkey', OWN, { body: newPasskey, response: passkey, status: 201 }),
  'PATCH /passkeys/:id': row('renamePasskey', 'Rename a passkey', OWN,
    { params: idPath, body: passkeyName, response: passkey }),
  'DELETE /passkeys/:id': row('deletePasskey', 'Remove a passkey and the sessions that it opened', OWN,
    { params: idPath, response: removedPasskey }),
  'GET /sessions': row('listSessions', 'Where one is signed in', OWN, { response: sessionList }),
  'DELETE /sessions/:id': row('endSession', 'Sign out elsewhere', OWN, { params: idPath, response: endedSessions }),
  'DELETE /sessions': row('endOtherSessions', 'Sign out everywhere else', OWN, { response: endedSessions })
})

export type AccountOperations = typeof accountOperations
