/** Words that say nothing of what a text is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`
  a about all also am an and any are as at be been being both but by can cannot could did do does doing done each either else etc even ever
  every few for from get gets getting got had has have having he her hers him his how i if in into is it its itself just let like many may
  me might mine more most much must my neither no nor not of off on once one ones only onto or other others our ours out own per quite
  rather really same shall she should since so some somebody someone something such than that the their theirs them then there these they
  thing things this those though through thus to too unless until upon us very via want wants was way we were what when where whether which
  while who whom whose why will with within without would yet you your yours
  dont doesnt didnt isnt arent wasnt werent wont cant couldnt shouldnt wouldnt havent hasnt im ive youre theyre thats
`.trim().split(/\s+/))
