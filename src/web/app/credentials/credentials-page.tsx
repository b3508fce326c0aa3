/** The page of a person's keys or tokens. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.js'
import { PageHeader } from '../components/layout.js'
import { CreateFlow } from './create-flow.js'
import type { CredentialKindInfo } from './credential-kinds.js'
import { CredentialsCard } from './credentials-card.js'

interface CredentialsPageProps {
  kind: CredentialKindInfo
  title: string
  description: ComponentChildren
  children?: ComponentChildren
}

export const CredentialsPage = ({ kind, title, description, children }: CredentialsPageProps) => {
  const [creating, setCreating] = useState(false)
  const open = (): void => setCreating(true)
  const close = (): void => setCreating(false)
  return (
    <>
      <PageHeader
        title={title} description={description}
        actions={<Button variant='primary' icon='plus' onClick={open}>{`Create ${kind.noun}`}</Button>}
      />
      {children}
      <CredentialsCard kind={kind} onCreate={open} />
      {creating && <CreateFlow kind={kind} onDone={close} onClose={close} />}
    </>
  )
}
