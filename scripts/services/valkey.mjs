/** Valkey on a loopback port, in memory only. */
import { connect } from 'node:net'
import { freePort, ready, startInside } from './process.mjs'

/**
 * @param {string} root
 * @param {string} folder seen from inside
 * @param {number} [given]
 */
export const startValkey = async (root, folder, given) => {
  const port = given ?? await freePort()
  const log = `${root}${folder}/valkey.log`
  const pid = startInside(root, 'postgres', log, ['/usr/bin/valkey-server', '--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder,
    '--save', '', '--appendonly', 'no', '--daemonize', 'no'])
  await ready(root, pid, log, () => answersPing(port))
  return { pid, port, url: `redis://127.0.0.1:${port}` }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
const answersPing = (port) => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => socket.write('PING\r\n'))
  socket.once('data', (data) => { socket.destroy(); resolve(data.toString().startsWith('+PONG')) })
  socket.once('error', () => resolve(false))
  socket.once('close', () => resolve(false))
})
