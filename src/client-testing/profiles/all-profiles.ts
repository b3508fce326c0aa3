/** The table of all profiles. An id never changes its meaning. */
import { caching } from './caching.js'
import { cutStreams } from './cut-streams.js'
import { inputRounds } from './input-rounds.js'
import { brokenBodies, malformedMessages } from './malformed-replies.js'
import { notifications } from './notifications.js'
import { pages } from './pages.js'
import { profilesOf, type Profile } from './profile.js'
import { redirects, refusals } from './refusals.js'
import { replyForms } from './reply-forms.js'
import { results } from './results.js'
import { serverRequests } from './server-requests.js'
import { sessions } from './sessions.js'
import { skills } from './skills.js'
import { subscriptions } from './subscriptions.js'
import { tasks } from './tasks.js'
import { versions } from './versions.js'

export const PROFILES: readonly Profile[] = Object.entries({
  'forms of replies': replyForms,
  'cut streams': cutStreams,
  'malformed messages': malformedMessages,
  'broken bodies': brokenBodies,
  sessions,
  revisions: versions,
  refusals,
  pages,
  caching,
  notifications,
  subscriptions,
  'requests of the server': serverRequests,
  'input rounds': inputRounds,
  results,
  tasks,
  skills,
  redirects
}).flatMap(([family, rows]) => profilesOf(family, rows))
