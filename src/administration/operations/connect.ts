/** Coding agents: how each is connected, and those that wait for a token. */
import userApproval from '#schemas/administration/device_approval.json' with { type: 'json' }
import devices from '#schemas/administration/devices.json' with { type: 'json' }
import connect from '#schemas/web/connect.json' with { type: 'json' }
import device from '#schemas/web/device.json' with { type: 'json' }
import deviceApproval from '#schemas/web/device_approval.json' with { type: 'json' }
import devicePath from '#schemas/web/device_path.json' with { type: 'json' }
import firstSteps from '#schemas/web/first_steps.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN, OWN_OR_OPERATOR } from '../permission.js'

export const connectOperations = tagged('connect', {
  'GET /connect': row('getConnect', 'How each coding agent is connected', OWN, { response: connect }),
  'GET /first-steps': row('getFirstSteps', 'How far the person is from the first call of an agent', OWN,
    { response: firstSteps }),
  'GET /devices/:code': row('getDevice', 'Who asks with a code', OWN_OR_OPERATOR,
    { params: devicePath, response: device }),
  'POST /devices/:code/approval': row('approveDevice', 'Give the tool a token of one\'s own', OWN,
    { params: devicePath, body: deviceApproval, response: device }),
  'POST /devices/:code/denial': row('denyDevice', 'Refuse the tool a token', OWN_OR_OPERATOR,
    { audit: ['device/denied'], params: devicePath, response: device }),
  'GET /admin/devices': row('listDevices', 'Tools that wait for approval', OPERATOR, { response: devices }),
  'POST /admin/devices/:code/approval': row('approveDeviceForUser', 'Give the tool a token of a user', OPERATOR,
    { audit: ['device/approved'], params: devicePath, body: userApproval, response: device })
})
