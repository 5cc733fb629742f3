// The actions of one API that the operator sells. An operator without an account cannot read the catalog.

import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ActionLink } from '../parts/action-link.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'
import { type LeftOut, LeftOutTable } from './left-out-table.tsx'

type Price = AnswerOf<'GET /api/v1/admin/prices'>['prices'][number]

/** What the file of an import says of it. */
interface SoldFile {
  readonly address?: string
  readonly api?: {
    readonly operations?: readonly {
      readonly name: string
      readonly title: string
      readonly deprecated: boolean
    }[]
    readonly leftOut?: readonly LeftOut[]
  }
}

async function readSold(name: string, signal: AbortSignal) {
  const [file, { prices }] = await Promise.all([
    tollway.request('GET /api/v1/admin/sold-apis/{name}', { path: { name }, signal }),
    tollway.request('GET /api/v1/admin/prices', { signal }),
  ])
  const { address = '', api: { operations = [], leftOut = [] } = {} } = file as SoldFile
  return {
    address,
    leftOut,
    operations: new Map(operations.map((each) => [`${name}/${each.name}`, each])),
    actions: prices.filter(({ id }) => id.startsWith(`${name}/`)),
  }
}

export function SoldActionsPage({ person, parameters: { name = '' } }: PageProps) {
  const sold = useLoad(name, (signal) => readSold(name, signal))
  const calls = new URLSearchParams({ action: `${name}/*` })
  return (
    <Page title={`What is sold as ${name}`}>
      <div class="bar start">
        <a href={addressOf('/operator/selling')}>All that you sell</a>
        <a href={addressOf(`/operator/transactions?${calls}`)}>Its calls</a>
        <a href={addressOf(`/operator/canaries/${name}`)}>Its canary</a>
      </div>
      <Shown of={sold}>
        {({ address, actions, operations, leftOut }) => (
          <>
            <p class="quiet">
              <Foreign text={address} />
            </p>
            <Table
              caption="Its actions"
              rows={actions}
              idOf={({ id }) => id}
              empty="None of its actions is sold."
              columns={[
                {
                  name: 'Action',
                  show: ({ id }) => <ActionLink id={id} person={person} />,
                },
                { name: 'Price', show: ({ text }: Price) => text },
                {
                  name: 'What it does',
                  show: ({ id }) => (
                    <>
                      {operations.get(id)?.deprecated && <Tag kind="warning">deprecated</Tag>}{' '}
                      <Foreign text={operations.get(id)?.title} />
                    </>
                  ),
                },
              ]}
            />
            {leftOut.length > 0 && (
              <>
                <h2>What is left out</h2>
                <LeftOutTable of={leftOut} />
              </>
            )}
          </>
        )}
      </Shown>
    </Page>
  )
}
