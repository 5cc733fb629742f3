import { Foreign } from '../parts/foreign.tsx'
import { Table } from '../parts/table.tsx'

export interface LeftOut {
  readonly where: string
  readonly why: string
}

/** What of an API cannot be sold, or is not. */
export const LeftOutTable = ({ of: parts }: { of: readonly LeftOut[] }) => (
  <Table
    caption="What is left out"
    rows={parts}
    columns={[
      {
        name: 'Operation',
        show: ({ where }) => (
          <code>
            <Foreign text={where} />
          </code>
        ),
      },
      { name: 'Why', show: ({ why }) => why },
    ]}
  />
)
