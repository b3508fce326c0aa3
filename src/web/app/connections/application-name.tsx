/** The name of a connected application on a page: like `applicationName`, with its own name as hostile text. */
import type { ApplicationOrigin } from '../../../lib/text/application-name.js'
import { HostileText } from '../components/hostile-text.js'

/** Draws `claude.ai (Claude)`, or only the name that it gives itself when no host vouches for it. */
export const ApplicationName = ({ name, host }: ApplicationOrigin) => {
  const ownName = <HostileText text={name} />
  return host == null ? ownName : <>{host} ({ownName})</>
}
