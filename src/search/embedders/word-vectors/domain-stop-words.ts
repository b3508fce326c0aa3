/** Words that nearly every plan of a product says, whatever it is about, though English at large does not. */
export const DOMAIN_STOP_WORDS: ReadonlySet<string> = new Set(`
  app application business client company customer feature member page people person product system team tool user
  allow approach build decide decision design develop enable handle idea implement plan process provide solution support thinking
`.trim().split(/\s+/))
