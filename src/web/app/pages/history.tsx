/** All changes of one exploration, or of the item that the address names. */
import { useRoute } from 'preact-iso'
import { useOperation } from '../api/resource.js'
import { LinkButton } from '../components/button.js'
import { Card } from '../components/card.js'
import { PageHeader } from '../components/page-header.js'
import { Skeleton, SkeletonText } from '../components/states.js'
import { useDocumentTitle } from '../lib/document-title.js'
import { useQueryState } from '../lib/query-state.js'
import { History } from './exploration/history.js'
import { Unavailable } from './exploration/unavailable.js'

const HistoryPage = () => {
  const { params: { id = '' } } = useRoute()
  const { values: { item } } = useQueryState(['item'])
  const { value, error, retry, pending } = useOperation('GET /explorations/:id', { params: { id } })
  useDocumentTitle(value && `History of ${value.title}`)
  return (
    <>
      <PageHeader
        above={<a href={`/explorations/${id}`}>{value?.title ?? 'Exploration'}</a>} title='History'
        description={value?.workspace.name ?? (error === undefined && <Skeleton width='12rem' />)}
        actions={item !== '' && <LinkButton href={`/explorations/${id}/history`}>Changes of all items</LinkButton>}
      />
      <Card flush>
        {value
          ? <History key={item} exploration={id} workspace={value.workspace.id} item={item || undefined} />
          : error === undefined
            ? <div class='card-note'><SkeletonText lines={8} /></div>
            : <Unavailable message={error} onRetry={retry} pending={pending} />}
      </Card>
    </>
  )
}

export default HistoryPage
