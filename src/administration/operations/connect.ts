/** Coding agents: how each is connected, and those that wait for a token. */
import shapes from '#schemas/operations/connect.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN, OWN_OR_OPERATOR } from '../permission.js'

export const connectOperations = tagged('connect', {
  'GET /connect': row('getConnect', 'How each coding agent is connected', OWN, { response: shapes.connect }),
  'GET /first-steps': row('getFirstSteps', 'How far the person is from the first call of an agent', OWN,
    { response: shapes.firstSteps }),
  'GET /devices/:code': row('getDevice', 'Who asks with a code', OWN_OR_OPERATOR,
    { params: paths.device, response: shapes.device }),
  'POST /devices/:code/approval': row('approveDevice', 'Give the tool a token of one\'s own', OWN,
    { params: paths.device, body: shapes.deviceApproval, response: shapes.device }),
  'POST /devices/:code/denial': row('denyDevice', 'Refuse the tool a token', OWN_OR_OPERATOR,
    { audit: ['device/denied'], params: paths.device, response: shapes.device }),
  'GET /admin/devices': row('listDevices', 'Tools that wait for approval', OPERATOR, { response: shapes.devices }),
  'POST /admin/devices/:code/approval': row('approveDeviceForUser', 'Give the tool a token of a user', OPERATOR,
    { audit: ['device/approved'], params: paths.device, body: shapes.userApproval, response: shapes.device })
})
