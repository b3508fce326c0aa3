// Sends one request over and over on several connections, so that the server is never idle, and costs the server as little as a client can. It reads
// of a reply only its status and where it ends, and it never sleeps: to wake a client that waits for replies takes the server's write several
// microseconds, which count as the server's, and which a slower server pays more often.
import { once } from 'node:events'
import { connect } from 'node:net'

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

const bytesOf = (port, { path = '/mcp', headers, body }) => Buffer.from([
  `POST ${path} HTTP/1.1`,
  `host: 127.0.0.1:${port}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  `content-length: ${Buffer.byteLength(body)}`,
  '',
  body
].join('\r\n'))

/** Returns a function that takes the bytes of one reply as they arrive, and says whether they are all there. */
const replyReader = () => {
  let head = ''
  let missing
  return (bytes) => {
    if (missing === undefined) {
      head += bytes.latin1Slice()
      const end = head.indexOf(HEAD_END)
      if (end === -1) return false
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`answered ${head.slice(0, end)}`)
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end)) ?? []
      missing = length === undefined ? Infinity : end + HEAD_END.length + Number(length) - (head.length - bytes.length)
    }
    missing -= bytes.length
    return missing <= 0 || (missing === Infinity && bytes.subarray(-LAST_CHUNK.length).latin1Slice() === LAST_CHUNK)
  }
}

/** Keeps the event loop turning until it is stopped. */
const stayAwake = () => {
  let isStopped = false
  const turn = () => { if (!isStopped) setImmediate(turn) }
  turn()
  return () => { isStopped = true }
}

/** Opens connections to a server on this port. `send` resolves when all replies are there, and rejects when one is not 200. */
export const busyClient = async (port, connections) => {
  const sockets = await Promise.all(Array.from({ length: connections }, async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    await once(socket, 'connect')
    return socket
  }))

  return {
    async send (request, requests) {
      const bytes = bytesOf(port, request)
      const sleep = stayAwake()
      let left = requests
      try {
        await Promise.all(sockets.map((socket) => new Promise((resolve, reject) => {
          let isWhole
          const next = () => {
            if (left-- <= 0) return done(resolve)
            isWhole = replyReader()
            socket.write(bytes)
          }
          const read = (chunk) => {
            try {
              if (isWhole(chunk)) next()
            } catch (error) {
              done(reject, error)
            }
          }
          const lost = () => { done(reject, new Error('the server has closed a connection')) }
          const done = (settle, value) => {
            socket.off('data', read).off('close', lost)
            settle(value)
          }
          socket.on('data', read).on('close', lost)
          next()
        })))
      } finally {
        sleep()
      }
    },
    close () {
      for (const socket of sockets) socket.destroy()
    }
  }
}
