/** Which server a command is about, and who issues its tokens: this command line, a device grant, or the user. */
import type { Stored } from '../../agent-setup/credentials/credentials-file.js'
import { suppliedIssuer, remoteIssuer, type Issuer } from '../../agent-setup/credentials/issuer.js'
import { sameEndpoint } from '../../agent-setup/registry/endpoint-address.js'
import { isPlainHttp, requireSecureTransport } from '../../agent-setup/credentials/http-client.js'
import type { Flags } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { readVerifiedToken } from '../credentials/read-token.js'
import { localIssuer } from './local-issuer.js'
import { stripControlChars } from '../print/print.js'
import { endpointAt, localServerUrl } from '../local-server-url.js'
import type { CliContext } from '../cli-context.js'
import { commandLine } from '../../lib/text/command-line.js'

export interface ServerRequest { url?: string, tokenFile?: string, user?: string, allowHttp?: true, browser?: boolean }

export interface ResolvedServer {
  url: URL
  /** Whether this command line can administer the server. */
  local: boolean
  issuer: Issuer
}

/** The server that the options name; else the local one; else the only one that init stored. */
export async function resolveServer (
  { url: named, tokenFile, user, allowHttp, browser = true }: ServerRequest, context: CliContext, flags: Flags,
  { servers }: Stored, signal: AbortSignal
): Promise<ResolvedServer> {
  // When the user names another server, errors about the local one do not matter.
  const here = await localServerUrl(context, flags).catch((error: unknown) => {
    if (named === undefined) throw error
    return undefined
  })
  const [storedUrl, ...otherUrls] = Object.keys(servers)
  const onlyStored = storedUrl !== undefined && otherUrls.length === 0 ? new URL(storedUrl) : undefined
  const url = named !== undefined ? endpointAt(named) : here ?? onlyStored
  if (!url) {
    throw new Refusal(
      `There is no server here. Start one (${commandLine('serve')}), name its folder with --data, or name a server ` +
      'with --url.'
    )
  }
  requireSecureTransport(url, allowHttp)
  const local = here !== undefined && sameEndpoint(here, url)
  if (tokenFile !== undefined) {
    return { url, local, issuer: suppliedIssuer(url, await readVerifiedToken(tokenFile, context.stdin, url)) }
  }
  if (local) return { url, local, issuer: localIssuer(url, context, flags, user) }
  if (user !== undefined) {
    throw new Refusal('The person who approves the request on the server chooses the owner: leave --user out.')
  }
  return {
    url,
    local,
    issuer: remoteIssuer(url, {
      signal,
      show ({ userCode, verificationUri, verificationUriComplete, expiresInSeconds }) {
        const command = `exploration-mcp device approve ${stripControlChars(userCode)}`
        // A server without pages has no address that includes the code.
        const how = verificationUriComplete === undefined
          ? `An administrator of the server approves it with: ${command}\n` +
            `More at ${stripControlChars(verificationUri)}\n`
          : `Approve it in a browser, signed in to the server: ${stripControlChars(verificationUriComplete)}\n` +
            `Or an administrator of the server approves it with: ${command}\n`
        context.stderr.write('This machine asks the server for a token. Its code is\n\n  ' +
          `${stripControlChars(userCode)}\n\n${how}` +
          `The code ends in ${Math.ceil(expiresInSeconds / 60)} minutes; Ctrl-C to stop waiting.\n`)
        if (browser && verificationUriComplete !== undefined) {
          openPage(context, new URL(verificationUriComplete), allowHttp === true)
        }
      }
    })
  }
}

/** Only for someone at the terminal of a machine with a screen; http of another machine could be anybody's page. */
const openPage = (
  { env, host: { platform }, stderr, openInBrowser }: CliContext, page: URL, allowHttp: boolean
): void => {
  if (!stderr.isTTY || !hasScreen(env, platform) || (isPlainHttp(page) && !allowHttp)) return
  openInBrowser(page.href).then(() => stderr.write('The page opens in your browser.\n'), () => {})
}

// Without a screen, a desktop's programs start a text browser in this terminal.
const hasScreen = (env: CliContext['env'], platform: string): boolean => {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI']) return false
  return platform === 'darwin' || platform === 'win32' ||
    Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'])
}
