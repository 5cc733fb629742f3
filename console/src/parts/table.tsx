import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly name: string
  readonly show: (row: Row) => ComponentChildren
  /** Right-aligned, with digits of one width. */
  readonly isAmount?: boolean
}

/** A table that scrolls sideways by itself on a narrow screen, by keyboard too. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isAmount }) => (
              <th scope="col" key={name} class={isAmount ? 'amount' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={idOf?.(row) ?? index}>
              {columns.map(({ name, show, isAmount }) => (
                <td key={name} class={isAmount ? 'amount' : ''}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
