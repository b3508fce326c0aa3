/** Passkeys and cookies belong to one name, and passkeys refuse an IP address: people use the name localhost. */
import type { FastifyRequest } from 'fastify'

const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/

/** The same address under `localhost` when it was asked for by an IP address of loopback. */
export const localhostAddress = (
  { protocol, host, url }: Pick<FastifyRequest, 'protocol' | 'host' | 'url'>
): string | undefined => {
  const match = LOOPBACK_ADDRESS.exec(host)
  return match && url.startsWith('/') ? `${protocol}://localhost${match[1] ?? ''}${url}` : undefined
}
