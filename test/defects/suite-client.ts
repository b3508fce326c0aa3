/** `node suite-client.js ID REVISION URL`: a client of the corpus, or the correct one, on a server of the official suite. */
import { runDefectiveClient } from './run-client.js'

const [id = '', revision = '', url = ''] = process.argv.slice(2)
process.exitCode = await runDefectiveClient(id, { url, revision, anyTools: true })
