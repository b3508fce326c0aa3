/** Draws a page for people who have the right that it needs; tells others whom to ask. */
import type { ComponentChildren } from 'preact'
import { hasRight, type PageRight } from '../../page-paths.js'
import { LinkButton } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { EmptyState, SkeletonText } from '../components/states.js'
import { useSessionState } from '../lib/session.js'

const WORDS: Record<PageRight, { title: string, ask: string }> = {
  server_admin: {
    title: 'Only server administrators can open this page',
    ask: 'Ask one of them to do what you came for, or to make you an administrator. Those who invite people to this ' +
      'server are administrators.'
  },
  workspace_admin: {
    title: 'Only admins of a workspace can open this page',
    ask: 'Ask an admin of your workspace to do what you came for, or to make you an admin too.'
  }
}

export const RightGuard = (
  { right, title, children }: { right: PageRight | undefined, title: string, children: ComponentChildren }
) => {
  const session = useSessionState()?.session
  if (right === undefined || (session && hasRight(right, session.server_admin, session.memberships))) return children
  const { title: refusal, ask } = WORDS[right]
  return (
    <>
      <PageHeader title={title} />
      <Card>
        {session
          ? (
            <EmptyState icon='shield' title={refusal} action={<LinkButton href='/'>Go to the explorations</LinkButton>}>
              {ask}
            </EmptyState>
            )
          : <SkeletonText lines={8} />}
      </Card>
    </>
  )
}
