/** Reads the corpus. */
import { readFileSync } from 'node:fs'

export interface Defect<Change = unknown> {
  id: string
  clause: { revision: string, page: string, anchor?: string, level: string }
  requirement: string
  differs: string
  expected: 'violated' | 'conforms'
  change: Change
  occasion?: string[]
}

export type Subject = 'servers' | 'clients' | 'authorization-servers'

export interface Corpus<Change = unknown> {
  version: number
  subject: string
  defects: Array<Defect<Change>>
  unseen?: Record<string, string>
}

export const readCorpus = <Change>(subject: Subject): Corpus<Change> =>
  JSON.parse(readFileSync(new URL(`${subject}.json`, import.meta.url), 'utf8')) as Corpus<Change>
