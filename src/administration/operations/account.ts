/** What people do with their own account. */
import shapes from '#schemas/operations/account.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OWN } from '../permission.js'

export const accountOperations = tagged('account', {
  'PATCH /account': row('updateAccount', 'Change one\'s own name, theme or time zone', OWN,
    { body: shapes.accountChange, response: shapes.account }),
  'GET /passkeys': row('listPasskeys', 'One\'s own passkeys', OWN, { response: shapes.passkeys }),
  'POST /passkeys/options': row('getPasskeyCreationOptions', 'Begin to add a passkey', OWN,
    { response: shapes.passkeyCreationOptions }),
  'POST /passkeys': row('createPasskey', 'Add a passkey', OWN,
    { body: shapes.newPasskey, response: shapes.passkey, status: 201 }),
  'PATCH /passkeys/:id': row('renamePasskey', 'Rename a passkey', OWN,
    { params: paths.id, body: shapes.passkeyName, response: shapes.passkey }),
  'DELETE /passkeys/:id': row('deletePasskey', 'Remove a passkey and the sessions that it opened', OWN,
    { params: paths.id, response: shapes.removedPasskey }),
  'GET /sessions': row('listSessions', 'Where one is signed in', OWN, { response: shapes.sessionList }),
  'DELETE /sessions/:id': row('endSession', 'Sign out elsewhere', OWN,
    { params: paths.id, response: shapes.endedSessions }),
  'DELETE /sessions': row('endOtherSessions', 'Sign out everywhere else', OWN, { response: shapes.endedSessions })
})

export type AccountOperations = typeof accountOperations
