/** How people sign in to the pages, as `serve` prints it when it listens. */
import type { FastifyInstance } from 'fastify'
import type { ManagementPorts } from '../administration/ports.js'
import { operationEvent, SIGN_IN_LINK_CREATED } from '../administration/record-operation.js'
import type { Config } from '../config/config.js'
import { pagesUrlOf } from '../http/server-address.js'
import { commandLine } from '../lib/text/command-line.js'
import type { FirstStart } from './first-start.js'

export interface SignInAtStart {
  /** The base URL of the pages. */
  pages: string
  /** A link for the first person; undefined at later starts. */
  link: { url: string, expires_at: string, email: string } | undefined
  /** The command line that prints another link. */
  command: string
}

/** Undefined without the web application. At the first start it makes a link, which the audit log records. */
export const signInAtStart = async (
  { signInLinks, directory, audit }: Pick<ManagementPorts, 'signInLinks' | 'directory' | 'audit'>,
  app: FastifyInstance, config: Config, start: FirstStart
): Promise<SignInAtStart | undefined> => {
  if (config.web === 'off') return undefined
  const pages = pagesUrlOf(app, config)
  const admins = (await directory.listUsers()).filter((user) => user.server_admin && user.deactivated_at === null)
  const command = commandLine(admins.length === 1 ? 'sign-in-link' : 'sign-in-link --user EMAIL')
  if (!('user' in start)) return { pages, link: undefined, command }
  const { token, expires_at: expiresAt, user } = await signInLinks.create(start.user)
  await audit.record(operationEvent(SIGN_IN_LINK_CREATED, { user_id: start.user }, 'first start'))
  return { pages, link: { url: signInUrl(pages, token), expires_at: expiresAt, email: user.email }, command }
}

/** The URL that signs in. The token stands in the fragment, which reaches no log and no preview of the link. */
export const signInUrl = (base: string, token: string): string => `${base}/sign-in#token=${token}`
