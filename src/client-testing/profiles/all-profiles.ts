/** The table of all profiles. An id never changes its meaning. */
import { brokenBodies } from './broken-bodies.js'
import { caching } from './caching.js'
import { cutStreams } from './cut-streams.js'
import { inputRounds } from './input-rounds.js'
import { malformedMessages } from './malformed-messages.js'
import { notifications } from './notifications.js'
import { pages } from './pages.js'
import type { Profile } from './profile.js'
import { redirects } from './redirects.js'
import { refusals } from './refusals.js'
import { replyForms } from './reply-forms.js'
import { results } from './results.js'
import { serverRequests } from './server-requests.js'
import { sessions } from './sessions.js'
import { skills } from './skills.js'
import { subscriptions } from './subscriptions.js'
import { tasks } from './tasks.js'
import { versions } from './versions.js'

export const PROFILES: readonly Profile[] = [
  ...replyForms,
  ...cutStreams,
  ...malformedMessages,
  ...brokenBodies,
  ...sessions,
  ...versions,
  ...refusals,
  ...pages,
  ...caching,
  ...notifications,
  ...subscriptions,
  ...serverRequests,
  ...inputRounds,
  ...results,
  ...tasks,
  ...skills,
  ...redirects
]
