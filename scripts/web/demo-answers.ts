/** What a picture must not show of the run that makes it: its port, its clock and its own sign-ins. */
import type { Page } from 'playwright-core'

const ADDRESS = 'https://plans.example.com'
const TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g
/** For times of this run: it began and was seen just now. */
const AGO_MS = 90_000
const RUNNING_MS = 9 * 86_400_000

/** Changes the answers of the web API on their way to `page`: whatever happened since `began` happened just before `now`. */
export const steadyAnswers = async (page: Page, began: Date, now: Date): Promise<void> => {
  // The stream of events has no end.
  await page.route(/\/web\/v1\/(?!events)/, async (route) => {
    const url = new URL(route.request().url())
    if (url.pathname.endsWith('/usage')) url.searchParams.set('to', now.toISOString())
    if (url.pathname.endsWith('/audit-events')) url.searchParams.set('until', now.toISOString())
    const response = await route.fetch({ url: url.href })
    const body = (await response.text())
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, ADDRESS)
      .replaceAll('"public_url":null', `"public_url":"${ADDRESS}"`)
      .replaceAll(/"started_at":"[^"]*"/g, `"started_at":"${new Date(now.getTime() - RUNNING_MS).toISOString()}"`)
      .replaceAll(TIME, (text, time: string) =>
        Date.parse(time) >= began.getTime() && Date.parse(time) <= Date.now() ? `"${new Date(now.getTime() - AGO_MS).toISOString()}"` : text)
    await route.fulfill({ response, body })
  })
}
