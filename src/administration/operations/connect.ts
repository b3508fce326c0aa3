/** Coding agents: how each is connected, and those that wait for a token. */
import userApproval from '#schemas/administration/device_approval.json' with { type: 'json' }
import devices from '#schemas/administration/devices.json' with { type: 'json' }
import connect from '#schemas/web/connect.json' with { type: 'json' }
import device from '#schemas/web/device.json' with { type: 'json' }
import deviceApproval from '#schemas/web/device_approval.json' with { type: 'json' }
import devicePath from '#schemas/web/device_path.json' with { type: 'json' }
import firstSteps from '#schemas/web/first_steps.json' with { type: 'json' }
import { tagged } from '../operation.js'
import { OPERATOR, OWN, OWN_OR_OPERATOR } from '../permission.js'

export const connectOperations = tagged('connect', {
  'GET /connect': {
    id: 'getConnect',
    summary: 'How each coding agent is connected',
    may: OWN,
    response: connect
  },
  'GET /first-steps': {
    id: 'getFirstSteps',
    summary: 'How far the person is from the first call of an agent',
    may: OWN,
    response: firstSteps
  },
  'GET /devices/:code': {
    id: 'getDevice',
    summary: 'Who asks with a code',
    may: OWN_OR_OPERATOR,
    params: devicePath,
    response: device
  },
  'POST /devices/:code/approval': {
    id: 'approveDevice',
    summary: 'Give the tool a token of one\'s own',
    may: OWN,
    params: devicePath,
    body: deviceApproval,
    response: device
  },
  'POST /devices/:code/denial': {
    id: 'denyDevice',
    summary: 'Refuse the tool a token',
    may: OWN_OR_OPERATOR,
    audit: ['device/denied'],
    params: devicePath,
    response: device
  },
  'GET /admin/devices': {
    id: 'listDevices',
    summary: 'Tools that wait for approval',
    may: OPERATOR,
    response: devices
  },
  'POST /admin/devices/:code/approval': {
    id: 'approveDeviceForUser',
    summary: 'Give the tool a token of a user',
    may: OPERATOR,
    audit: ['device/approved'],
    params: devicePath,
    body: userApproval,
    response: device
  }
})
