import { useState } from 'preact/hooks'
import { ModeTag } from '../catalog/catalog-page.tsx'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ChoiceField } from '../parts/field.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { ask, type OperatedProvider, type ReadHost } from './operator.ts'

export function ProvidersPage(_: PageProps) {
  const [mode, setMode] = useState('')
  const providers = useLoad('providers', (signal) =>
    ask<{ providers: OperatedProvider[] }>('GET providers', { signal }),
  )
  return (
    <Page title="Providers">
      <ChoiceField
        label="Mode"
        value={mode}
        change={setMode}
        choices={[
          ['', 'All'],
          ['live', 'Live'],
          ['keyless', 'Public source'],
          ['embedded', 'Built in'],
          ['unavailable', 'Not available'],
        ]}
      />
      <Shown of={providers}>
        {({ providers: all }) => (
          <Table
            caption="Providers"
            rows={all.filter((each) => mode === '' || each.mode === mode)}
            columns={[
              { name: 'Provider', show: ({ title }) => title },
              { name: 'Service', show: ({ service }) => <code>{service}</code> },
              { name: 'Mode', show: (each) => <ModeTag mode={each.mode} /> },
              { name: 'Circuits', show: ({ circuits }) => <Circuits circuits={circuits} /> },
              { name: 'What is missing', show: ({ reason }) => reason },
            ]}
          />
        )}
      </Shown>
    </Page>
  )
}

/** A circuit is open while a vendor fails: its calls are refused at once. */
function Circuits({ circuits }: Pick<OperatedProvider, 'circuits'>) {
  if (circuits.length === 0) return <span class="quiet">none used yet</span>
  return circuits.map((circuit, index) => {
    const state = String(circuit.state ?? '')
    return (
      <Tag key={index} kind={state === 'closed' ? 'good' : 'bad'}>
        {Object.values(circuit).map(String).join(' ')}
      </Tag>
    )
  })
}

export function ReadingPage(_: PageProps) {
  const hosts = useLoad('hosts', (signal) =>
    ask<{ hosts: ReadHost[] }>('GET reading/hosts', { signal }),
  )
  return (
    <Page title="Reading">
      <p>
        Which ways of reading worked on which hosts lately. The next read of a host begins with what
        worked.
      </p>
      <Shown of={hosts}>
        {({ hosts: read }) => (
          <Table
            caption="Hosts"
            rows={read.flatMap(({ host, rungs }) => rungs.map((rung) => ({ host, ...rung })))}
            empty="No page was read yet."
            columns={[
              { name: 'Host', show: ({ host }) => host },
              { name: 'Rung', show: ({ rung }) => rung },
              { name: 'Read', isAmount: true, show: ({ reads }) => reads },
              { name: 'Blocked', isAmount: true, show: ({ blocks }) => blocks },
              { name: 'Last blocked', show: ({ blockedAt }) => <Time at={blockedAt} /> },
            ]}
          />
        )}
      </Shown>
    </Page>
  )
}
