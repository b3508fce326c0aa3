/** What may be wrong with a request although it is valid. */
import { Note } from '../../components/note.js'
import type { ConsentDetails } from '../../api/answers.js'

type WarningsProps = Pick<ConsentDetails, 'client' | 'redirect'>

/** Draws a note where anybody could have made the request; nothing otherwise. */
export const Warnings = ({ client: { vouched_by: { kind, host } }, redirect }: WarningsProps) => {
  if (redirect.loopback) {
    const other = kind === 'document' && host !== null ? host : 'another one'
    return (
      <Note tone='warn'>
        The answer goes to a program on this computer, and any program there can pose as {other}. Allow only what you
        have just started yourself, on this computer.
      </Note>
    )
  }
  if (kind === 'registered') {
    return (
      <Note tone='warn'>
        Nobody checked its name. Allow only if you know <b>{redirect.host}</b> and have just started this there.
      </Note>
    )
  }
  return null
}
