/**
 * A table with its empty, loading and failed states. On a narrow screen columns hide (`hideBelow`), and the first cell
 * says what they contain. It names the row.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { PagedList } from '../api/pages.js'
import { countOf, formatNumber } from '../lib/format-number.js'
import { Button } from './button.js'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import { ErrorState, Skeleton } from './states.js'
import { Time } from './time.js'
import './table.css'

export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ComponentChildren
  align?: 'end'
  /** Hides the column where the table is narrower than 54 rem or 40 rem. */
  hideBelow?: 54 | 40 | undefined
  /** A CSS width. */
  width?: string
  /** Keeps the header for screen readers only: for a column of buttons. */
  hideHeader?: boolean
  /** What rows are sorted by when a person asks; absent for a column that has no order. */
  order?: (row: Row) => string | number
}

interface Sort { column: string, descending: boolean }

export interface TableProps<Row> {
  /** The name of the table, for screen readers. */
  label: string
  columns: ReadonlyArray<Column<Row>>
  /** Undefined while they are loaded: then as many grey rows stand there as `expected` says. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  expected?: number
  /** What stands there when there are no rows. */
  empty?: ComponentChildren
  error?: string | undefined
  onRetry?: (() => void) | undefined
  /** Whether these are all rows: only then they can be sorted. */
  complete?: boolean
  /** Greys a row, for what is no longer in force. */
  isDimmed?: (row: Row) => boolean
}

export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rowKey, expected = 5, empty, error, onRetry, isDimmed, complete = true } = props
  const [sort, setSort] = useState<Sort>()
  const order = complete ? columns.find(({ id }) => id === sort?.column)?.order : undefined
  const rows = order && props.rows ? sorted(props.rows, order, sort?.descending ?? false) : props.rows
  if (error !== undefined) return <ErrorState message={error} onRetry={onRetry} />
  if (rows?.length === 0 && empty !== undefined) return <>{empty}</>
  return (
    <div class='table-wrap' aria-busy={rows === undefined}>
      <table class='table' aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={complete ? setSort : undefined} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: expected }, (_, index) => <LoadingRow key={index} columns={columns} />)
            : rows.map((row) => (
              <tr key={rowKey(row)} class={isDimmed?.(row) ? 'row-dimmed' : undefined}>
                {columns.map((column, at) => at === 0
                  ? <th key={column.id} scope='row' class={cellClass(column)}>{column.cell(row)}</th>
                  : <td key={column.id} class={cellClass(column)}>{column.cell(row)}</td>)}
              </tr>
            ))}
        </tbody>
      </table>
      {rows === undefined && <span class='visually-hidden' role='status'>Loading</span>}
    </div>
  )
}

const sorted = <Row,>(
  rows: readonly Row[], order: (row: Row) => string | number, descending: boolean
): readonly Row[] => {
  const sign = descending ? -1 : 1
  return rows.toSorted((one, other) => order(one) === order(other) ? 0 : order(one) < order(other) ? -sign : sign)
}

const cellClass = <Row,>({ align, hideBelow }: Column<Row>): string | undefined =>
  classNames(align === 'end' && 'cell-end', hideBelow !== undefined && `hide-below-${hideBelow}`) || undefined

interface HeaderProps<Row> { column: Column<Row>, sort: Sort | undefined, onSort: ((sort: Sort) => void) | undefined }

const HeaderCell = <Row,>({ column, sort, onSort }: HeaderProps<Row>) => {
  const isSorted = sort?.column === column.id
  return (
    <th
      scope='col' class={cellClass(column)} style={column.width === undefined ? undefined : { width: column.width }}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.order && onSort
        ? (
          <button
            type='button' class={classNames('sort', isSorted && 'sort-on')}
            onClick={() => onSort({ column: column.id, descending: isSorted ? !sort.descending : false })}
          >
            {column.header}
            <Icon name={isSorted && !sort.descending ? 'sortUp' : 'sortDown'} size={14} />
          </button>
          )
        : <span class={column.hideHeader ? 'visually-hidden' : undefined}>{column.header}</span>}
    </th>
  )
}

const LoadingRow = <Row,>({ columns }: { columns: ReadonlyArray<Column<Row>> }) => (
  <tr aria-hidden='true'>
    {columns.map((column, index) => (
      <td key={column.id} class={cellClass(column)}>
        {index === 0
          ? <div class='cell-lines'><Skeleton width='9rem' /><Skeleton width='13rem' height='.625rem' /></div>
          : <Skeleton width='4rem' />}
      </td>
    ))}
  </tr>
)

/** The last column: what can be done with a row. */
export const actionsColumn = <Row,>(cell: Column<Row>['cell']): Column<Row> =>
  ({ id: 'actions', header: 'Actions', hideHeader: true, align: 'end', width: '1%', cell })

/** A column of numbers, or of the text that stands for one; it can be sorted. */
export const numberColumn = <Row,>(
  id: string, header: string, order: (row: Row) => number, hideBelow?: 54 | 40,
  cell: Column<Row>['cell'] = (row) => formatNumber(order(row))
): Column<Row> => ({ id, header, order, align: 'end', hideBelow, cell })

/** A column of moments, which narrow tables have no room for; it can be sorted. */
export const timeColumn = <Row,>(id: string, header: string, at: (row: Row) => string | null): Column<Row> =>
  ({ id, header, order: (row) => at(row) ?? '', hideBelow: 54, cell: (row) => <Time value={at(row)} /> })

/** Two lines in a cell: the name, and what to know about it in a quieter ink. */
export const CellLines = ({ title, children }: { title: ComponentChildren, children?: ComponentChildren }) => (
  <div class='cell-lines'>
    <span class='cell-title'>{title}</span>
    {children !== undefined && <span class='cell-note'>{children}</span>}
  </div>
)

interface PaginationProps {
  list: Pick<PagedList<unknown, unknown>, 'rows' | 'onMore' | 'morePending' | 'moreError'>
  /** What they are: `exploration`. */
  noun: string
  plural?: string
  /** How many there are in all, where that is known. */
  total?: number | undefined
}

export const Pagination = (
  { list: { rows = [], onMore, morePending, moreError }, noun, plural = `${noun}s`, total }: PaginationProps
) => rows.length > 0 && (
  <div class='pagination'>
    <span role='status'>
      {moreError ?? (onMore && total !== undefined && total > rows.length
        ? `${formatNumber(rows.length)} of ${countOf(total, noun, plural)}`
        : `${countOf(rows.length, noun, plural)}${onMore ? ' so far' : ''}`)}
    </span>
    {onMore && <Button size='s' pending={morePending} onClick={onMore}>Show more</Button>}
  </div>
)
