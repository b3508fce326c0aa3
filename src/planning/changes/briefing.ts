/** What the holder of an item has to know, in few words. */
import type { Change } from './change.js'

export const briefing = async (_change: Change, _item: string): Promise<string> => ''
