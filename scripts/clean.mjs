// Takes away what an earlier build left: a file that is gone from src/ has to be gone from dist/, migrations above all.
import { rm } from 'node:fs/promises'

await rm(new URL('../dist/', import.meta.url), { recursive: true, force: true })
