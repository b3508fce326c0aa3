/** Downloads what the files of a plan do not say yet, as a diff for `git apply`. */
import { useAction } from '../../api/action.js'
import { call } from '../../api/call.js'
import { messageOf } from '../../api/problem.js'
import { Button } from '../../components/button.js'
import { showToast } from '../../components/toast.js'

export const PatchButton = ({ exploration: id }: { exploration: string }) => {
  const { run, pending } = useAction(() => download(id).then(showToast, (error) => showToast(messageOf(error), 'bad')))
  return <Button size='s' icon='download' pending={pending} onClick={() => run()}>Patch for the files</Button>
}

/** Returns a sentence: what to do with the file, or why there is none, and what has no place in it. */
const download = async (id: string): Promise<string> => {
  const { patch, encoding, left } = await call('GET /explorations/:id/patch', { params: { id } })
  const kept = left.length === 0 ? '' : ` Kept here: ${left.join('; ').slice(0, 300)}.`
  if (patch === '') return `The files say all that has a place in them.${kept}`
  const { downloadFile } = await import('../../plan/export-picture.js')
  const bytes = encoding === 'base64' ? Uint8Array.from(atob(patch), (one) => one.charCodeAt(0)) : patch
  downloadFile(bytes, 'text/x-diff', 'plan.patch')
  return `Downloaded: run git apply plan.patch in the repository.${kept}`
}
