/** Writes docs/reference/client-cross-check.md, where CROSS_CHECK is `all`: with a row of each client. */
import { writeFile } from 'node:fs/promises'
import { CROSS_CHECKED } from './clients.mjs'
import { compareClient } from './compare.mjs'
import { crossCheckPage } from './page.mjs'

const rows = (await Promise.all(CROSS_CHECKED.map(compareClient))).flat()
await writeFile(new URL('../../../docs/reference/client-cross-check.md', import.meta.url), crossCheckPage(rows))
