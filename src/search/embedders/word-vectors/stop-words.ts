/** Words that a search ignores or weighs less. */

/** Words without meaning of their own. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`
  a about all also am an and any anybody anyone anything are as at be because been being both but by can cannot could
  did do does doing done each either else etc even ever every everybody everyone everything few for from get gets
  getting got had has have having he her hers herself him himself his how i if in into is it its itself just let like
  many may me might mine more most much must my neither no nobody nor not nothing of off on once one ones only onto or
  other others our ours ourselves out own per quite rather really same shall she should since so some somebody someone
  something such than that the their theirs them themselves then there these they thing things this those though
  through thus to too unless until upon us very via want wants was way we were what whatever when whenever where whether
  which while who whom whose why will with within without would yet you your yours yourself
  dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt havent hasnt im ive youre theyre thats
`.trim().split(/\s+/))

/** Words of nearly every product plan, whatever its subject, that are rarer in English at large. */
export const DOMAIN_STOP_WORDS: ReadonlySet<string> = new Set(`
  app application business client company customer feature member page people person product system team tool user
  allow approach build decide decision design develop enable handle idea implement plan process provide solution
  support thinking
`.trim().split(/\s+/))
