/** Checks the connection below HTTP: the host name, the port, the certificate. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { failed, passed, skipped, warning, type CheckResult } from './finding.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { isPlainHttp } from '../credentials/http-client.js'
import { shownText } from '../server-text.js'
import { commandLine } from '../../lib/text/command-line.js'

const MAX_ADDRESSES = 4
const SOON_MS = 14 * 86_400_000

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

export const checkDns = async (url: URL): Promise<CheckResult> => {
  const host = hostOf(url)
  if (isIP(host)) return skipped(`${host} is an address already`)
  try {
    return passed((await addressesOf(url)).join(', '))
  } catch (error) {
    return failed(`${host} has no address (${errorCodeOrName(error)})`,
      'Check the host name in the URL; if it is right, the DNS servers or the VPN of this machine.')
  }
}

export const checkTcp = async (url: URL, timeoutMs: number): Promise<CheckResult> => {
  const addresses = await addressesOf(url)
  const attempts = await Promise.all(addresses.map(async (address) =>
    [address, await refusalOf(address, portOf(url), timeoutMs)] as const))
  const open = attempts.filter(([, refusal]) => refusal === undefined).map(([address]) => address)
  if (open.length > 0) return passed(`port ${portOf(url)} of ${open.join(', ')} is open`)
  const [, code = ''] = attempts[0] ?? []
  return failed(`port ${portOf(url)} cannot be reached (${code})`, code === 'ECONNREFUSED'
    ? `Nothing listens there: start the server (${commandLine('serve')}), or correct the port in the URL.`
    : 'Something on the way blocks the connection: check firewalls, the VPN, and that the server listens on an ' +
      'address that is reached from here (HOST).')
}

const addressesOf = async (url: URL): Promise<string[]> =>
  (await lookup(hostOf(url), { all: true })).slice(0, MAX_ADDRESSES).map(({ address }) => address)

const refusalOf = async (host: string, port: number, timeoutMs: number): Promise<string | undefined> => {
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) })
    return undefined
  } catch (error) {
    return errorCodeOrName(error) === 'ABORT_ERR' ? 'ETIMEDOUT' : errorCodeOrName(error)
  } finally {
    socket.destroy()
  }
}

/** A valid, trusted certificate passes that ends in more than 14 days, and plain HTTP on loopback only. */
export const checkTls = async (
  url: URL, { timeoutMs, allowHttp }: { timeoutMs: number, allowHttp: boolean }
): Promise<CheckResult> => {
  if (isPlainHttp(url)) {
    return allowHttp
      ? warning('plain http: anyone on the way can read the credential', `${USE_TLS}.`)
      : failed('plain http: anyone on the way could read the credential, so nothing is sent',
        `${USE_TLS}; or, in a network that you trust, add --allow-http.`)
  }
  if (url.protocol === 'http:') return skipped('plain http, which does not leave this machine')
  const host = hostOf(url)
  // The certificate is checked here, so that each fault can be named. Nothing is sent on this connection.
  const socket = connectTls({
    host, port: portOf(url), rejectUnauthorized: false, ...(!isIP(host) && { servername: host })
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    return certificateOf(socket, host)
  } catch (error) {
    return errorCodeOrName(error) === 'ABORT_ERR'
      ? failed('the server does not finish the handshake of TLS',
        'Check that this port speaks TLS; if it does not, use the http address or the right port.')
      : failed(`no handshake of TLS (${errorCodeOrName(error)})`,
        'Check that this port speaks TLS 1.2 or 1.3; if it speaks plain http, use the http address or the right port.')
  } finally {
    socket.destroy()
  }
}

const USE_TLS = 'Put a proxy with a certificate before the server, and use its https address'

const certificateOf = (socket: TLSSocket, host: string): CheckResult => {
  const certificate = socket.getPeerCertificate()
  const [from, to] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  if (to < Date.now()) {
    return failed(`the certificate expired on ${day(to)}`,
      'Renew the certificate of the server, and find out why it was not renewed by itself.')
  }
  if (from > Date.now()) {
    return failed(`the certificate is not valid before ${day(from)}`,
      'Check the clock of this machine; if it is right, the certificate of the server.')
  }
  if (checkServerIdentity(host, certificate)) {
    return failed(`the certificate is not for ${host} but for ${namesOf(certificate)}`,
      'Use a name that the certificate has, or get one that has this name.')
  }
  if (!socket.authorized) return untrusted(String(socket.authorizationError))
  return to - Date.now() < SOON_MS
    ? warning(`the certificate expires on ${day(to)}`, 'Renew the certificate of the server.')
    : passed(`${socket.getProtocol() ?? 'TLS'}, certificate valid until ${day(to)}`)
}

const untrusted = (code: string): CheckResult => code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
  ? failed(`the server does not send the whole chain of its certificate (${code})`,
    'Let the server send the intermediate certificates too (with nginx: the full chain in ssl_certificate); ' +
    'of an authority of your own, name the certificate in NODE_EXTRA_CA_CERTS.')
  : failed(`this machine does not trust who issued the certificate (${code})`,
    'Use a certificate of a public authority; or name your own authority\'s in NODE_EXTRA_CA_CERTS, ' +
    'here and where the agents start.')

const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

const namesOf = ({ subjectaltname: names, subject }: PeerCertificate): string =>
  shownText((names ?? String(subject.CN)).replaceAll('DNS:', '').replaceAll('IP Address:', ''), 200) ?? 'nothing'
