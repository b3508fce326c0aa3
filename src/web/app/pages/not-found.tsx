/** What unknown addresses show. */
import { LinkButton } from '../components/button.js'
import { Card } from '../components/card.js'
import { EmptyState } from '../components/states.js'

/** Draws the page. */
export const NotFound = () => (
  <>
    <h1 class='visually-hidden'>Not found</h1>
    <Card>
      <EmptyState
        icon='search'
        title='There is nothing at this address'
        action={<LinkButton href='/'>Go to the start page</LinkButton>}
      >
        The link may be old, or what it led to was removed.
      </EmptyState>
    </Card>
  </>
)
