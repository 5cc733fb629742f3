import { HealthTag } from '../catalog/health.tsx'
import { showDuration } from '../format/time.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import { Shown } from '../parts/notices.tsx'
import { Table } from '../parts/table.tsx'
import { callsOfDays } from './calls-of-days.ts'

/** The calls of today and yesterday: the filters know whole days only. */
const failuresOf = (action: string) => callsOfDays(2, { action, free: '', status: 'failed' })

/** The actions with failed calls in the last day, those with the most first. */
export function FailedActions() {
  const health = useLoad('actions', (signal) =>
    tollway.request('GET /api/v1/admin/actions', { signal }),
  )
  return (
    <section class="stack">
      <h2>Failures of the last day</h2>
      <Shown of={health}>
        {({ actions }) => (
          <Table
            caption="Actions with failed calls in the last day"
            rows={actions
              .filter(({ failed_calls }) => failed_calls > 0)
              .toSorted((one, other) => other.failed_calls - one.failed_calls)}
            empty="No call failed."
            columns={[
              { name: 'Action', show: ({ action }) => action },
              { name: 'Health', show: ({ status }) => <HealthTag status={status} /> },
              { name: 'Calls', isAmount: true, show: ({ calls }) => calls },
              {
                name: 'Failed',
                isAmount: true,
                show: ({ action, failed_calls }) => (
                  <a href={failuresOf(action)}>{failed_calls.toLocaleString()}</a>
                ),
              },
              {
                name: 'Errors',
                show: ({ errors }) =>
                  errors.map(({ error, calls }, place) => (
                    <>
                      {place > 0 && ' · '}
                      <a href={`/docs/errors/${error}`}>{error}</a> {calls}
                    </>
                  )),
              },
              {
                name: 'p95',
                isAmount: true,
                show: ({ p95_ms }) => p95_ms !== null && showDuration(p95_ms),
              },
            ]}
          />
        )}
      </Shown>
    </section>
  )
}
