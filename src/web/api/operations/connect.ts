/** Coding agents: how each is connected, and those that wait for a token. */
import connect from '#schemas/web/connect.json' with { type: 'json' }
import device from '#schemas/web/device.json' with { type: 'json' }
import deviceApproval from '#schemas/web/device_approval.json' with { type: 'json' }
import devicePath from '#schemas/web/device_path.json' with { type: 'json' }
import type { OperationTable } from '../operation.js'

export const connectOperations = {
  'GET /connect': {
    id: 'getConnect',
    summary: 'How each coding agent is connected',
    tag: 'connect',
    response: connect
  },
  'GET /devices/:code': {
    id: 'getDevice',
    summary: 'Who asks with a code',
    tag: 'connect',
    params: devicePath,
    response: device
  },
  'POST /devices/:code/approval': {
    id: 'approveDevice',
    summary: 'Give the tool a token of one\'s own',
    tag: 'connect',
    params: devicePath,
    body: deviceApproval,
    response: device
  },
  'POST /devices/:code/denial': {
    id: 'denyDevice',
    summary: 'Refuse the tool a token',
    tag: 'connect',
    params: devicePath,
    response: device
  }
} as const satisfies OperationTable
