// biome-ignore-all lint/a11y/noRedundantRoles: without roles, a browser may forget that what is shown as cards is a table.
import type { ComponentChildren } from 'preact'
import { InTable } from './amount.tsx'
import { Foreign } from './foreign.tsx'

export interface Column<Row> {
  readonly name: string
  readonly show: (row: Row) => ComponentChildren
  /** Right-aligned, with digits of one width. */
  readonly isAmount?: boolean
}

/** Most texts of tables are of vendors, sellers and callers. An empty one leaves its cell empty. */
const shown = (cell: ComponentChildren) =>
  cell && typeof cell === 'string' ? <Foreign text={cell} /> : cell

/** A table that scrolls sideways by itself, by keyboard too. On a phone each row is a card that names its cells. */
export function Table<Row>({
  caption,
  columns,
  rows,
  idOf,
  empty = 'Nothing here yet.',
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Rows with forms or buttons need it: what was begun in one must not be done to the row that takes its place. */
  idOf?: (row: Row) => string
  empty?: ComponentChildren
}) {
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    <InTable.Provider value={true}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="table rows" tabIndex={0} aria-label={caption}>
        <table role="table">
          <caption class="unseen">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ name, isAmount }) => (
                <th role="columnheader" scope="col" key={name} class={isAmount ? 'amount' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row, index) => (
              <tr role="row" key={idOf?.(row) ?? index}>
                {columns.map(({ name, show, isAmount }) => (
                  <td role="cell" key={name} data-name={name} class={isAmount ? 'amount' : ''}>
                    <div>{shown(show(row))}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </InTable.Provider>
  )
}
