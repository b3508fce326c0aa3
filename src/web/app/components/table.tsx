/**
 * A table with its empty, loading and failed states. On a narrow screen columns hide (`hideBelow`), and the first cell
 * says what they contain. It names the row.
 */
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useState } from 'preact/hooks'
import { formatNumber } from '../lib/format.js'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import { Pagination, type PaginationProps } from './layout.js'
import { ErrorState, Skeleton } from './states.js'
import { Time } from './time.js'
import './table.css'

export interface Column<Row> {
  /** No two columns of a table have the same. */
  header: string
  cell: (row: Row) => ComponentChildren
  align?: 'end'
  /** Hides the column where the table is narrower than 54 rem or 40 rem. */
  hideBelow?: 54 | 40 | undefined
  width?: string
  /** Keeps the header for screen readers only: for a column of buttons. */
  hideHeader?: boolean
  /** What rows are sorted by when a person asks; absent for a column that has no order. */
  order?: (row: Row) => string | number
}

interface Sort { column: string, descending: boolean }

export interface TableProps<Row> extends Partial<Omit<PaginationProps, 'rows'>> {
  label: string
  columns: ReadonlyArray<Column<Row>>
  /** Undefined while they are loaded: then as many grey rows stand there as `expected` says. */
  rows: readonly Row[] | undefined
  rowKey?: (row: Row) => string
  expected?: number
  empty?: ComponentChildren
  /** Why there are none; rows that were loaded before stay. */
  error?: string | undefined
  retry?: (() => void) | undefined
  /** Greys a row, for what is no longer in force. */
  isDimmed?: (row: Row) => boolean
  /** Draws a row otherwise than as its cells. */
  as?: FunctionComponent<RowProps<Row>>
  class?: string
}

const idOf = (row: unknown): string => (row as { id: string }).id

/** Only when all rows are there they can be sorted. With `noun`, it is said below them how many there are. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rowKey = idOf, expected = 5, empty, error, retry, isDimmed, noun, onMore } = props
  const TableRow = props.as ?? PlainRow
  const [sort, setSort] = useState<Sort>()
  const order = onMore ? undefined : columns.find(({ header }) => header === sort?.column)?.order
  const rows = order && props.rows ? sorted(props.rows, order, sort?.descending ?? false) : props.rows
  if (error !== undefined && rows === undefined) return <ErrorState error={error} retry={retry} />
  if (rows?.length === 0 && empty !== undefined) return <>{empty}</>
  return (
    <>
      <div class={classNames('table-wrap', props.class)} aria-busy={rows === undefined}>
        <table class='table' aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.header} column={column} sort={sort} onSort={onMore ? undefined : setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? Array.from({ length: expected }, (_, index) => <LoadingRow key={index} columns={columns} />)
              : rows.map((row) => (
                <TableRow key={rowKey(row)} row={row} columns={columns} isDimmed={isDimmed?.(row)} />
              ))}
          </tbody>
        </table>
        {rows === undefined && <span class='visually-hidden' role='status'>Loading</span>}
      </div>
      {noun !== undefined && <Pagination {...props} rows={rows} noun={noun} />}
    </>
  )
}

const sorted = <Row,>(
  rows: readonly Row[], order: (row: Row) => string | number, descending: boolean
): readonly Row[] => {
  const sign = descending ? -1 : 1
  return rows.toSorted((one, other) => order(one) === order(other) ? 0 : order(one) < order(other) ? -sign : sign)
}

export const cellClass = <Row,>({ align, hideBelow }: Column<Row>): string | undefined =>
  classNames(align === 'end' && 'cell-end', hideBelow !== undefined && `hide-below-${hideBelow}`) || undefined

interface HeaderProps<Row> { column: Column<Row>, sort: Sort | undefined, onSort: ((sort: Sort) => void) | undefined }

const HeaderCell = <Row,>({ column, sort, onSort }: HeaderProps<Row>) => {
  const isSorted = sort?.column === column.header
  return (
    <th
      scope='col' class={cellClass(column)} style={column.width === undefined ? undefined : { width: column.width }}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.order && onSort
        ? (
          <button
            type='button' class={classNames('sort', isSorted && 'sort-on')}
            onClick={() => onSort({ column: column.header, descending: isSorted ? !sort.descending : false })}
          >
            {column.header}
            <Icon name={isSorted && !sort.descending ? 'sortUp' : 'sortDown'} size={14} />
          </button>
          )
        : <span class={column.hideHeader ? 'visually-hidden' : undefined}>{column.header}</span>}
    </th>
  )
}

export interface RowProps<Row> { row: Row, columns: ReadonlyArray<Column<Row>>, isDimmed: boolean | undefined }

const PlainRow = <Row,>({ row, columns, isDimmed }: RowProps<Row>) => (
  <tr class={isDimmed ? 'row-dimmed' : undefined}>
    {columns.map((column, at) => at === 0
      ? <th key={column.header} scope='row' class={cellClass(column)}>{column.cell(row)}</th>
      : <td key={column.header} class={cellClass(column)}>{column.cell(row)}</td>)}
  </tr>
)

const LoadingRow = <Row,>({ columns }: { columns: ReadonlyArray<Column<Row>> }) => (
  <tr aria-hidden='true'>
    {columns.map((column, index) => (
      <td key={column.header} class={cellClass(column)}>
        {index === 0
          ? <div class='cell-lines'><Skeleton width='9rem' /><Skeleton width='13rem' height='.625rem' /></div>
          : <Skeleton width='4rem' />}
      </td>
    ))}
  </tr>
)

/** The last column: what can be done with a row. */
export const actionsColumn = <Row,>(cell: Column<Row>['cell']): Column<Row> =>
  ({ header: 'Actions', hideHeader: true, align: 'end', width: '1%', cell })

/** A column of numbers, or of the text that stands for one; it can be sorted. */
export const numberColumn = <Row,>(
  header: string, order: (row: Row) => number, hideBelow?: 54 | 40,
  cell: Column<Row>['cell'] = (row) => formatNumber(order(row))
): Column<Row> => ({ header, order, align: 'end', hideBelow, cell })

/** A column of moments, which narrow tables have no room for; it can be sorted. */
export const timeColumn = <Row,>(header: string, at: (row: Row) => string | null): Column<Row> =>
  ({ header, order: (row) => at(row) ?? '', hideBelow: 54, cell: (row) => <Time value={at(row)} /> })

/** Two lines in a cell: the name, and what to know about it in a quieter ink. */
export const CellLines = ({ title, children }: { title: ComponentChildren, children?: ComponentChildren }) => (
  <div class='cell-lines'>
    <span class='cell-title'>{title}</span>
    {children !== undefined && <span class='cell-note'>{children}</span>}
  </div>
)
