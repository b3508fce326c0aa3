/** Words of nearly every product plan, whatever its subject, that are rarer in English at large. */
export const DOMAIN_STOP_WORDS: ReadonlySet<string> = new Set(`
  app application business client company customer feature member page people person product system team tool user
  allow approach build decide decision design develop enable handle idea implement plan process provide solution
  support thinking
`.trim().split(/\s+/))
