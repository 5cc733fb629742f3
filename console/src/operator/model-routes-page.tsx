import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'

type ModelRoute = AnswerOf<'GET /api/v1/admin/models/routes'>['routes'][number]

export function ModelRoutesPage(_: PageProps) {
  const routes = useLoad('model-routes', (signal) =>
    tollway.request('GET /api/v1/admin/models/routes', { signal }),
  )
  return (
    <Page title="Models">
      <p>
        The providers that have answered chats of this gateway within the last half hour, or fail
        now. Latency is the time to the first token of a stream.
      </p>
      <Shown of={routes}>
        {({ routes: rows }) => (
          <Table
            caption="Routes"
            rows={rows}
            empty="No chat was answered within the last half hour."
            columns={[
              { name: 'Model', show: ({ model }) => model },
              { name: 'Provider', show: ({ provider }) => provider },
              { name: 'State', show: (route) => <State route={route} /> },
              { name: 'Answers', isAmount: true, show: ({ answers }) => answers },
              {
                name: 'Latency p50 / p99',
                isAmount: true,
                show: ({ latency_ms: of }) => of && `${of.p50} / ${of.p99} ms`,
              },
              {
                name: 'Tokens per second p50',
                isAmount: true,
                show: ({ tokens_per_second }) => tokens_per_second?.p50,
              },
            ]}
          />
        )}
      </Shown>
    </Page>
  )
}

const State = ({ route: { failing, no_retention } }: { route: ModelRoute }) => (
  <>
    {failing && <Tag kind="bad">fails</Tag>} {no_retention && 'keeps nothing'}
  </>
)
